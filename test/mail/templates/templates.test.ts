import { expect, test } from 'vitest'
import { MAIL_LANGUAGES, type MailLanguage } from '../../../src/domain/mail.ts'
import { render } from '../../../src/mail/engine/render.ts'
import { type MailKind, templateOf } from '../../../src/mail/templates/catalogue.ts'
import { MAIL_KINDS, MAIL_SAMPLES } from '../../support/mail-samples.ts'
import { HOUSE } from '../../support/mails.ts'

const EACH = MAIL_KINDS.flatMap((kind) => MAIL_LANGUAGES.map((language) => [kind, language] as const))

const write = (kind: MailKind, language: MailLanguage, facts: object = MAIL_SAMPLES[kind], name = 'Maria da Silva') => {
  const template = templateOf(kind)
  if (template === undefined) throw new Error(`no template for ${kind}`)
  return render(template, facts, { language, name }, HOUSE)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What a reader of the markup sees, in one line. */
const readable = (html: string): string =>
  html
    .replace(/<head>[\s\S]*?<\/head>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')

const addressesOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))

/** The same facts with every text made hostile, however deep it lies; instants stay, because they are ours. */
const hostile = (value: unknown): unknown => {
  if (typeof value === 'string')
    return Number.isNaN(Date.parse(value)) ? `${value}"'><img src=x onerror=alert(1)>&` : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, CHOSEN.has(key) ? entry : hostile(entry)]),
  )
}

/** What is one of a few words of our own. */
const CHOSEN = new Set(['type', 'method', 'change'])

test.each(MAIL_LANGUAGES)('every mail says this in plain text: %s', async (language) => {
  const texts = MAIL_KINDS.toSorted().map((kind) => {
    const { subject, text } = write(kind, language)
    return `===== ${kind}: ${subject} =====\n\n${text}`
  })
  await expect(texts.join('\n')).toMatchFileSnapshot(`plain-texts.${language}.txt`)
})

test('a mail with every kind of part looks like this as markup', async () => {
  await expect(write('invitation', 'pt').html).toMatchFileSnapshot('invitation.pt.html')
  await expect(write('credentials_rotated', 'en').html).toMatchFileSnapshot('credentials-rotated.en.html')
})

test.each(EACH)('%s, %s: markup and plain text say the same', (kind, language) => {
  const { subject, html, text } = write(kind, language)
  const seen = readable(html)
  expect(seen).toContain(subject)
  const addresses = addressesOf(html)
  for (const line of text.split('\n').filter((part) => part.trim() !== '' && part !== '-- ')) {
    // A link is its label in markup, and a fact is a name above its value.
    if (addresses.includes(line)) continue
    const [, label = '', value = ''] = /^(.*?):(?: (.*))?$/.exec(line) ?? []
    expect([line, seen.includes(line) || (seen.includes(label) && seen.includes(value))]).toEqual([line, true])
  }
  expect(`${subject}${text}${seen}`).not.toMatch(/undefined|null|NaN|\[object|Invalid Date|\$\{/)
})

test.each(EACH)('%s, %s: every link is absolute, of this platform, and in both forms', (kind, language) => {
  const { html, text } = write(kind, language)
  const addresses = addressesOf(html)
  for (const address of addresses) {
    expect(new URL(address).origin).toBe(HOUSE.publicUrl)
    expect(text.split('\n')).toContain(address)
  }
  const secret = 'secret' in MAIL_SAMPLES[kind]
  expect(addresses.map((address) => new URLSearchParams(new URL(address).hash.slice(1)).get('token'))).toEqual(
    secret ? ['token-of-the-link'] : [],
  )
  expect(html).not.toMatch(/<(script|img|link|iframe|form|object|style)\b|url\(|@import/i)
})

test.each(EACH)('%s, %s: nothing that people wrote becomes markup', (kind, language) => {
  const { subject, html, text } = write(
    kind,
    language,
    hostile(MAIL_SAMPLES[kind]) as object,
    'Maria <b>"da" Silva</b>',
  )
  expect(html).not.toMatch(/<img|<b>|onerror=alert\(1\)>/)
  expect(html).toBe(html.replaceAll(/&(?!(amp|lt|gt|quot|#39);)/g, '&amp;'))
  for (const [, attributes = ''] of html.matchAll(/<\w+((?:\s[^<>]*)?)>/g))
    expect(attributes.replaceAll(/\s[\w-]+="[^"]*"/g, '').replace(' "', '')).toBe('')
  expect(`${subject}${text}`).not.toMatch(/&(lt|gt|quot|amp);/)
})

test.each(EACH)('%s, %s: nothing is wider than the screen that it is read on', (kind, language) => {
  const { html } = write(kind, language)
  const widths = [...html.matchAll(/(?<![\w-])(?:min-)?width(?:="|:)\s*(\d+)px?/g)].map(([, width]) => Number(width))
  expect(widths).toEqual([])
  expect(html).toContain('max-width:560px')
  expect(html).not.toMatch(/<table|white-space:\s*nowrap/)
})

test.each(MAIL_KINDS)('%s: both languages have as many parts, and differ', (kind) => {
  const [portuguese, english] = MAIL_LANGUAGES.map((language) => write(kind, language))
  const shape = (html = '') => [...html.matchAll(/<(p|div|a|h1|span)\b/g)].map(([, tag]) => tag).slice(0, -3)
  expect(shape(english?.html).filter((tag) => tag === 'a' || tag === 'span')).toEqual(
    shape(portuguese?.html).filter((tag) => tag === 'a' || tag === 'span'),
  )
  expect(english?.subject).not.toBe(portuguese?.subject)
})

test('a subject is one line, and no longer than a mail program shows', () => {
  const { subject } = write('company_approved', 'pt', {
    companyName: `Loja\r\nBcc: x@example.com ${'muito '.repeat(60)}`,
  })
  expect(subject).not.toMatch(/[\r\n]/)
  expect(subject.length).toBeLessThanOrEqual(150)
})

test('what is unknown is left out: no label stands without a value', () => {
  const { text } = write('company_rejected', 'pt', { companyName: 'Padaria da Maria', reason: null })
  expect(text).not.toContain('Motivo')
  const digest = { companies: { count: 0, since: null }, withdrawals: { count: 0, since: null, amount: 0 } }
  const { text: waiting } = write('daily_digest', 'en', { ...digest, providerEvents: { count: 4, since: null } })
  expect(waiting).toContain('without effect: 4')
  expect(waiting).not.toMatch(/Companies|Withdrawals/)
})

test.each(['enabled', 'disabled', 'reset'] as const)('second factor %s: each change has words of its own', (change) => {
  for (const language of MAIL_LANGUAGES) {
    const { subject } = write('second_factor_changed', language, { change, changedAt: '2026-11-20T13:31:00.000Z' })
    expect(subject.length).toBeGreaterThan(10)
  }
})
