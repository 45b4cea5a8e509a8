import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findChromium, startChromium } from '../support/chromium.ts'

const chromium = findChromium()

describe.runIf(chromium !== undefined)('the guides in a browser', () => {
  let app: TestApp
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    app = await startTestApp()
    browser = await startChromium(chromium ?? '')
    page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(request.url()))
  }, 60_000)

  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  test('a search on any page leads to the part of a guide that answers it', async () => {
    await page.goto(`${app.url}/docs/guides/cards`)
    await page.getByLabel('Search').fill('repeat KEY')
    await page.getByLabel('Search').press('Enter')
    const found = page.locator('#results a')
    await found.first().waitFor()
    expect(await found.allTextContents()).toContain('Errors, their cause and their cure: Repeat safely')
    await page.getByLabel('Search').fill('no such word anywhere')
    expect(await page.locator('#results').textContent()).toBe('Nothing found.')
    await page.getByLabel('Search').fill('')
    expect(await page.locator('#guides li').count()).toBe(8)
    expect(complaints).toEqual([])
  })

  test('nothing of a guide is wider than a phone, and it is dark where that is wanted', async () => {
    await page.goto(`${app.url}/docs/guides/cards`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(13, 19, 17)')
    const screenshot = process.env.GUIDES_SCREENSHOT
    if (screenshot) await page.screenshot({ path: screenshot, fullPage: true })
  })
})
