import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findChromium, startChromium } from '../support/chromium.ts'

const chromium = findChromium()
const LOADS_WITHIN_MS = 60_000

// The page's validation library tries whether it may compile code, and does without where it may not: no fault of ours.
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  if (blockedURI !== 'eval') console.error('policy: ' + violatedDirective + ' ' + blockedURI)
})`

test('a browser is there where browser tests are mandatory', () => {
  if (chromium === undefined) {
    process.stdout.write('\n!! No Chromium here: NO BROWSER TEST RUNS. Install one, or name it in CHROMIUM_PATH.\n\n')
  }
  expect(process.env.BROWSER_TESTS === 'required' && chromium === undefined).toBe(false)
})

describe.runIf(chromium !== undefined)('the documentation in a browser', () => {
  let app: TestApp
  let browser: Browser
  let page: Page
  const complaints: string[] = []
  const requests: string[] = []

  beforeAll(async () => {
    app = await startTestApp()
    browser = await startChromium(chromium ?? '')
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 } })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`))
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`)
    })
    page.on('request', (request) => requests.push(request.url()))
    await page.addInitScript({ content: TELL_VIOLATIONS })
    await page.goto(`${app.url}/docs`, { waitUntil: 'networkidle', timeout: LOADS_WITHIN_MS })
  }, 2 * LOADS_WITHIN_MS)

  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('shows the operations of the API', { timeout: LOADS_WITHIN_MS }, async () => {
    await page.getByRole('heading', { name: 'Payment platform', exact: false }).first().waitFor()
    expect(await page.title()).toBe('Payment platform API')
    const text = (await page.textContent('body')) ?? ''
    for (const tag of ['Authentication', 'Companies', 'Payments', 'Withdrawals', 'Webhooks'])
      expect(text).toContain(tag)
    const screenshot = process.env.DOCS_SCREENSHOT
    if (screenshot) await page.screenshot({ path: screenshot })
  })

  test('leads to an operation with its fields, its answers and an example', { timeout: LOADS_WITHIN_MS }, async () => {
    await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
    await page.getByRole('link', { name: 'Create a payment' }).first().click()
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Create a payment' }) }).last()
    await section.waitFor()
    for (const text of ['cardToken', 'idempotency-key', '201', '422']) {
      await section.getByText(text, { exact: false }).first().waitFor()
    }
    const screenshot = process.env.DOCS_SCREENSHOT
    if (screenshot) await page.screenshot({ path: screenshot.replace('.png', '-operation.png') })
  })

  test('explains an error code on a page of its own', { timeout: LOADS_WITHIN_MS }, async () => {
    await page.goto(`${app.url}/errors/payment.not_found`, { waitUntil: 'networkidle' })
    expect(await page.textContent('h1')).toBe('payment.not_found')
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('heading', { name: 'Payment platform' }).first().waitFor()
  })

  test('breaks no rule of its content security policy and prints no error', async () => {
    expect(complaints).toEqual([])
  })

  test('asks nobody but this server for anything', async () => {
    const foreign = requests.filter((url) => /^https?:/.test(url) && !url.startsWith(app.url))
    expect(requests.length).toBeGreaterThan(2)
    expect(foreign).toEqual([])
  })
})
