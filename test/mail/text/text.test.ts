import fc from 'fast-check'
import { expect, test } from 'vitest'
import { button, facts, oneLine, paragraph } from '../../../src/mail/text/blocks.ts'
import { formatsOf } from '../../../src/mail/text/formats.ts'
import { frameOf } from '../../../src/mail/text/frame.ts'
import { createMailLinks } from '../../../src/mail/text/links.ts'
import { plainText } from '../../../src/mail/text/plain-text.ts'

const links = createMailLinks('https://pay.example.com')

test('what people wrote becomes one line without characters that cannot be seen', () => {
  expect(oneLine('  Maria\r\n\tBcc: x\u2028y\u202eabc\u200b d\u0000 ')).toBe('Maria Bcc: x y abc d')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(oneLine(oneLine(text))).toBe(oneLine(text))
    }),
  )
})

test('amounts and times are written as in Brazil, in São Paulo’s time', () => {
  const [portuguese, english] = [formatsOf('pt'), formatsOf('en')]
  expect(portuguese.money(123_456).replaceAll('\u00a0', ' ')).toBe('R$ 1.234,56')
  expect(english.money(123_456)).toBe('R$1,234.56')
  expect(portuguese.money(1).replaceAll('\u00a0', ' ')).toBe('R$ 0,01')
  // Still the evening before in São Paulo.
  expect(portuguese.day('2026-11-21T02:59:59.000Z')).toBe('20 de novembro de 2026')
  expect(portuguese.moment('2026-11-20T13:31:00.000Z')).toBe('20 de novembro de 2026 às 10:31 (horário de Brasília)')
  expect(english.moment('2026-11-20T13:31:00.000Z')).toBe('20 November 2026 at 10:31 (Brasília time)')
})

test('a token is one part of an address, whatever stands in it', () => {
  for (const link of [links.verifyEmail, links.confirmEmail, links.resetPassword, links.acceptInvitation]) {
    const address = new URL(link('a&b=c#d/../é'))
    expect(address.origin).toBe('https://pay.example.com')
    expect([address.search, ...new URLSearchParams(address.hash.slice(1))]).toEqual(['', ['token', 'a&b=c#d/../é']])
  }
})

test('facts whose value is unknown are left out', () => {
  expect(facts(['a', 'b\nc'], ['d', null])).toEqual({ kind: 'facts', facts: [['a', 'b c']] })
})

test('plain text: each part is a paragraph, a button its address, and the footer comes behind the sign for it', () => {
  const letter = {
    subject: 'S',
    body: [paragraph('One\ntwo'), facts(['a', 'b'], ['c', 'd']), button('Go', 'https://x/')],
  }
  const frame = { languageTag: 'en', brand: 'House', greeting: 'Hello, you.', footer: ['Why.', 'End.'] }
  expect(plainText(letter, frame)).toBe(
    'Hello, you.\n\nOne two\n\na: b\nc: d\n\nGo:\nhttps://x/\n\n-- \nHouse\n\nWhy.\n\nEnd.\n',
  )
})

test('only mails about a topic say where they can be turned off', () => {
  const reader = { language: 'en', name: 'Maria' } as const
  const [topic, security, given] = (['withdrawals', 'security', 'address_given'] as const).map((cause) =>
    frameOf(cause, reader, 'House', links),
  )
  expect(topic?.footer.join()).toContain(links.notifications())
  expect(`${security?.footer.join()}${given?.footer.join()}`).not.toContain('https://')
  // Whoever gives an address that is not theirs has no say in how its owner is called.
  expect([topic?.greeting, security?.greeting, given?.greeting]).toEqual(['Hello, Maria.', 'Hello, Maria.', undefined])
})
