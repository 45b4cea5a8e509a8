import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SCHEMES = ['light', 'dark'] as const
// `npm run screenshots` looks at more widths than every run needs.
const WIDTHS_PX = (process.env.SCREENSHOT_WIDTHS ?? '320,768,1280').split(',').map(Number)
const FOLDER = join(import.meta.dirname, '..', '..', '.artifacts', 'checkout')

const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('policy: ' + violatedDirective + ' ' + blockedURI)
})`

/** A payer: a browser of their own, tall enough that nothing scrolls away under a click, what it complained about and what it asked for. */
export const newPayer = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 390, height: 1_600 }, ...options })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: { url: string; body: string }[] = []
  page.on('console', (message) => {
    // A refused form is an answer that browsers call an error.
    const isRefusal = /status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`))
  page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() ?? '' }))
  await page.addInitScript({ content: TELL_VIOLATIONS })
  return { context, page, complaints, requests }
}

export type Payer = Awaited<ReturnType<typeof newPayer>>

// What changes with the colours is judged in both, all else once.
const RULES = { light: WCAG, dark: { type: 'rule', values: ['color-contrast'] } } as const

/** As far as it is used here: the library is a global of the page. */
type Axe = {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}

/** What axe-core finds wrong, one line per rule and place. */
const violationsOf = async (frame: Page | Frame, scheme: keyof typeof RULES): Promise<string[]> => {
  if (await frame.evaluate('typeof axe === "undefined"')) await frame.evaluate(AXE)
  return frame.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ runOnly, iframes: false, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))
  }, RULES[scheme])
}

/** Keeps pictures of a state for who asked for them (`npm run screenshots`): what differs from another one in its words alone. */
export const picture = async ({ page }: { page: Page }, name: string): Promise<void> => {
  if (process.env.SCREENSHOT_WIDTHS !== undefined) await inspect({ page }, name)
}

/**
 * Looks at a state as everybody would: axe finds nothing in light and in dark, nothing is cut off from 320 px on, and
 * a picture of each is kept.
 */
export const inspect = async ({ page }: { page: Page }, name: string): Promise<void> => {
  await mkdir(FOLDER, { recursive: true })
  const before = page.viewportSize()
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 800 })
      // Frames of other origins are only painted where they are in view.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height })
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect([name, width, overflow]).toEqual([name, width, 0])
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
    }
    for (const frame of page.frames())
      expect([name, colorScheme, await violationsOf(frame, colorScheme)]).toEqual([name, colorScheme, []])
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}

/** The frame with the card's fields. */
export const cardFrame = async (page: Page): Promise<Frame> => {
  const element = await page.waitForSelector('iframe')
  const frame = await element.contentFrame()
  if (frame === null) throw new Error('the frame has no page')
  await frame.waitForSelector('#number')
  return frame
}

export const CARD = { approved: '4111 1111 1111 1111', declined: '4000 0000 0000 0002' }

/** Types a card into its fields. */
export const fillCard = async (page: Page, number: string): Promise<void> => {
  const frame = await cardFrame(page)
  await frame.fill('#number', number)
  await frame.fill('#expiry', '08/35')
  await frame.fill('#code', '123')
}

/** Types who pays. */
export const fillPayer = async (page: Page): Promise<void> => {
  await page.getByLabel('Nome completo').fill('Francisco da Silva')
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25')
  const email = page.getByLabel('E-mail')
  if (await email.isVisible()) await email.fill('francisco@example.com')
}
