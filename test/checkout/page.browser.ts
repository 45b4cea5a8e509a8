import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findChromium, startChromium } from '../support/chromium.ts'
import type { Seller } from '../support/factories.ts'
import { fileForm, imageBytes } from '../support/images.ts'
import { CARD, cardFrame, fillCard, fillPayer, inspect, newPayer, picture } from '../support/pages.ts'
import { createLink } from '../support/payment-links.ts'
import { pay, sellingSeller } from '../support/payments.ts'
import { pdfPages } from '../support/pdf-pages.ts'

const chromium = findChromium()
const TIMEOUT_MS = 60_000
const PHONE = { viewport: { width: 360, height: 1_600 } }
const DESKTOP = { viewport: { width: 1_280, height: 1_200 } }

// The options that are wider than what is left of the box without its padding and its arrow.
const CUT_INSTALLMENTS = `(() => {
  const select = document.querySelector('select')
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = getComputedStyle(select).font
  const room = select.clientWidth - 28 - 20
  return [...select.options].filter(({ text }) => pen.measureText(text).width > room).map(({ text }) => text)
})()`

describe.runIf(chromium !== undefined)('how the page feels', { timeout: TIMEOUT_MS }, () => {
  let app: TestApp
  let seller: Seller
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp()
    seller = await sellingSeller(app)
    browser = await startChromium(chromium ?? '')
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const visit = async (fields: Record<string, unknown> = {}, options: Parameters<typeof newPayer>[1] = PHONE) => {
    const methods = ['pix', 'boleto', 'credit_card']
    const link = await createLink(app, seller, { amount: 1_299_990, methods, maxInstallments: 12, ...fields })
    const payer = await newPayer(browser, options)
    await payer.page.goto(link.url)
    return { ...payer, link }
  }

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).boundingBox()
    if (box === null) throw new Error(`nothing is shown at ${selector}`)
    return box
  }

  const printedPages = async (page: Page): Promise<number> =>
    (await pdfPages(await page.pdf({ format: 'A4', preferCSSPageSize: true }), 1)).length

  test('a press is not lost where an error appears above it, and the summary goes with its errors', async () => {
    const { page } = await visit()
    await page.getByLabel('Boleto').check()
    await page.getByLabel('Nome completo').fill('Francisco da Silva')
    const field = page.getByLabel('CPF ou CNPJ')
    await field.pressSequentially('52998224726')
    expect(await field.inputValue()).toBe('529.982.247-26')
    const button = page.getByRole('button', { name: /^Gerar boleto.*R\$\s12\.999,90$/ })
    const { x, y, width } = await boxOf(page, 'button[type="submit"]')
    await page.mouse.move(x + width / 2, y + 3)
    await page.mouse.down()
    expect((await boxOf(page, 'button[type="submit"]')).y).toBe(y)
    await page.mouse.up()
    await page.getByRole('heading', { name: 'Confira os dados' }).waitFor()
    await field.fill('')
    await field.pressSequentially('12abc34501de35')
    expect(await field.inputValue()).toBe('12.ABC.345/01DE-35')
    await page.locator('#errors').waitFor({ state: 'hidden' })
    await field.fill('1')
    await button.click()
    await page.getByRole('heading', { name: 'Confira os dados' }).waitFor()
    await page.getByLabel('Pix', { exact: false }).first().check()
    await page.locator('#errors').waitFor({ state: 'hidden' })
  })

  test('says that it is offline, and that it is back, without moving anything', async () => {
    const { page, context } = await visit()
    const before = await boxOf(page, 'button[type="submit"]')
    await context.setOffline(true)
    await page.getByText('Você está sem internet.').waitFor()
    await picture({ page }, 'browser-offline')
    expect(await boxOf(page, 'button[type="submit"]')).toEqual(before)
    await context.setOffline(false)
    await page.getByText('Você está sem internet.').waitFor({ state: 'hidden' })
  })

  test('card fields load without a hole, in line with the others; every installment can be read on a small phone', async () => {
    const { page } = await visit()
    const origin = new URL(app.services.cardFields?.url('pt') ?? '').origin
    let goOn: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route(`${origin}/**`, async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Cartão de crédito').check()
    const empty = await boxOf(page, '.frame')
    const look = await page.evaluate('getComputedStyle(document.querySelector(".frame"), "::before").backgroundImage')
    expect(look).toContain('linear-gradient')
    goOn()
    const frame = await cardFrame(page)
    await page.locator('.frame[data-ready]').waitFor()
    const full = await boxOf(page, '.frame')
    expect(Math.abs(full.height - empty.height)).toBeLessThanOrEqual(8)
    const [inner, outer] = [await (await frame.waitForSelector('#number')).boundingBox(), await boxOf(page, '#name')]
    expect([inner?.x, inner?.width]).toEqual([outer.x, outer.width])
    expect(await page.evaluate(CUT_INSTALLMENTS)).toEqual([])
    await page.getByLabel('Parcelas').selectOption('7')
    await page.getByText('1ª parcela de R$\u00a01.857,18. Total de R$\u00a012.999,90, sem juros.').waitFor()
    await inspect({ page }, 'card-on-a-small-phone')
  })

  test('what was typed survives a declined card and is forgotten once paid; receipt, Pix and boleto print on one page', async () => {
    const { page } = await visit()
    await page.getByLabel('Cartão de crédito').check()
    await fillPayer(page)
    await page.getByLabel('Parcelas').selectOption('3')
    await fillCard(page, CARD.declined)
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.getByRole('link', { name: 'Tentar de novo' }).click()
    await page.getByLabel('Parcelas').waitFor()
    const values = ['name', 'document', 'email', 'installments'].map((name) => page.locator(`#${name}`).inputValue())
    expect(await Promise.all(values)).toEqual(['Francisco da Silva', '529.982.247-25', 'francisco@example.com', '3'])
    await fillCard(page, CARD.approved)
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await inspect({ page }, 'receipt')
    expect(await printedPages(page)).toBe(1)
  })

  test('the QR code is on a desktop no smaller than on a phone; Pix and boleto print on one page', async () => {
    const { page } = await visit({ description: 'Três andares, serve 40 pessoas. '.repeat(10) }, DESKTOP)
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL(/\/payments\//)
    const desktop = await boxOf(page, '.qr')
    await page.setViewportSize(PHONE.viewport)
    expect(desktop.width).toBeGreaterThanOrEqual((await boxOf(page, '.qr')).width)
    expect(await printedPages(page)).toBe(1)
    await page.getByRole('link', { name: 'Escolher outra forma de pagamento' }).click()
    await page.getByText('deixa de valer quando você continuar').waitFor()
    await inspect({ page }, 'replacing')
    await page.getByLabel('Boleto').check()
    await fillPayer(page)
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    await page.getByRole('link', { name: 'PDF para celular' }).waitFor()
    await inspect({ page }, 'boleto-with-facts')
    expect(await printedPages(page)).toBe(1)
    const href = await page.getByRole('link', { name: 'Abrir PDF' }).getAttribute('href')
    expect((await fetch(href ?? '')).headers.get('content-type')).toBe('application/pdf')
  })

  test('a seller’s logo and colour are on every page, and whatever the colour is, all of it can be read', async () => {
    const branded = await sellingSeller(app)
    const { token } = branded
    await app.api.put('branding', { token, body: { color: '#ffd400' } })
    const logo = fileForm(imageBytes({ width: 240, height: 80, color: '#1a237e' }))
    expect((await app.api.put('branding/logo', { token, body: logo })).status).toBe(200)
    const { url } = await createLink(app, branded, { amount: 4_990, methods: ['pix', 'boleto', 'credit_card'] })
    const { page, complaints } = await newPayer(browser, PHONE)
    await page.goto(url)
    const button = page.getByRole('button', { name: /^Gerar Pix/ })
    const filled = await page.evaluate(
      'getComputedStyle(document.querySelector("button[type=submit]")).backgroundColor',
    )
    expect([filled, await page.evaluate('document.querySelector(".logo").naturalWidth')]).toEqual([
      'rgb(255, 212, 0)',
      240,
    ])
    await inspect({ page }, 'branded-form')
    await button.click()
    await page.waitForURL(/\/payments\//)
    await inspect({ page }, 'branded-pix')
    await pay(app, branded, page.url().split('/').at(-1) ?? '')
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    await inspect({ page }, 'branded-receipt')
    await page.goto(`${url}/poster`)
    await inspect({ page }, 'branded-poster')
    expect(complaints).toEqual([])
  })

  test('too little is said while the page is open, and a slow provider after a while', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL(/\/payments\//)
    await pay(app, seller, page.url().split('/').at(-1) ?? '', { amount: 999_990 })
    await page.getByRole('heading', { name: 'O valor pago foi menor que o pedido' }).waitFor()
    await page.getByText('R$\u00a03.000,00').waitFor()
    await inspect({ page }, 'underpaid')
    const slow = await visit()
    await slow.page.clock.install()
    await slow.page.getByLabel('Cartão de crédito').check()
    await fillPayer(slow.page)
    await fillCard(slow.page, '4000 0000 0000 0036')
    await slow.page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await slow.page.getByText('Isso costuma levar alguns segundos.').waitFor()
    await slow.page.clock.fastForward(21_000)
    await slow.page.getByText('A operadora do pagamento ainda não respondeu').waitFor()
    await slow.page.getByText('contato@padaria.com.br').waitFor()
    await inspect(slow, 'processing-late')
  })
})
