import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAIL_LANGUAGES } from '../../../src/domain/mail.ts'
import { render } from '../../../src/mail/engine/render.ts'
import { templateOf } from '../../../src/mail/templates/catalogue.ts'
import { findChromium, startChromium } from '../../support/chromium.ts'
import { MAIL_KINDS, MAIL_SAMPLES } from '../../support/mail-samples.ts'
import { HOUSE } from '../../support/mails.ts'

const chromium = findChromium()
const NARROW_PX = 360
const UNBROKEN = 'x'.repeat(300)

const stretched = (value: unknown): unknown => {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? `${value}${UNBROKEN}` : value
  if (typeof value !== 'object' || value === null) return value
  const kept = new Set(['type', 'method', 'change'])
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, kept.has(key) ? entry : stretched(entry)]),
  )
}

test('a browser is there where browser tests are mandatory', () => {
  expect(process.env.BROWSER_TESTS === 'required' && chromium === undefined).toBe(false)
})

/** Every mail in both languages, as it is sent and with texts that do not break. */
const MAILS = MAIL_KINDS.flatMap((kind) =>
  MAIL_LANGUAGES.flatMap((language) =>
    [MAIL_SAMPLES[kind], stretched(MAIL_SAMPLES[kind]) as object].map((facts) => {
      const template = templateOf(kind)
      if (template === undefined) throw new Error(`no template for ${kind}`)
      return { kind, language, html: render(template, facts, { language, name: `Maria${UNBROKEN}` }, HOUSE).html }
    }),
  ),
)

describe.runIf(chromium !== undefined)('mails in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium(chromium ?? '')
  }, 60_000)
  afterAll(() => browser.close())

  test(`at ${NARROW_PX} px nothing is cut off`, { timeout: 60_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: NARROW_PX, height: 800 } })
    for (const { kind, language, html } of MAILS) {
      await page.setContent(html)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect([kind, language, width]).toEqual([kind, language, NARROW_PX])
    }
  })
})
