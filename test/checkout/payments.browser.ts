import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { readDrawnBarcode } from '../support/barcode.ts'
import { findChromium, startChromium } from '../support/chromium.ts'
import type { Seller } from '../support/factories.ts'
import { CARD, cardFrame, fillCard, fillPayer, inspect, newPayer, type Payer } from '../support/pages.ts'
import { createLink } from '../support/payment-links.ts'
import { getPayment, pay, sellingSeller } from '../support/payments.ts'

const chromium = findChromium()
const TIMEOUT_MS = 60_000

describe.runIf(chromium !== undefined)('paying through a link in a browser', { timeout: TIMEOUT_MS }, () => {
  let app: TestApp
  let seller: Seller
  let browser: Browser
  const payers: Payer[] = []

  beforeAll(async () => {
    app = await startTestApp()
    seller = await sellingSeller(app)
    browser = await startChromium(chromium ?? '')
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const visit = async (fields: Record<string, unknown> = {}, options: Parameters<typeof newPayer>[1] = {}) => {
    const methods = ['pix', 'boleto', 'credit_card']
    const link = await createLink(app, seller, {
      title: 'Bolo de aniversário de chocolate',
      description: 'Três andares, serve 40 pessoas.\nRetirar na loja até as 18 h.',
      amount: 24_990,
      methods,
      maxInstallments: 6,
      ...fields,
    })
    const payer = await newPayer(browser, options)
    payers.push(payer)
    await payer.page.goto(link.url)
    return { ...payer, link }
  }

  const paymentIn = async (page: Page): Promise<string> => {
    await page.waitForURL(/\/payments\//)
    return page.url().split('/').at(-1) ?? ''
  }

  const settle = async (id: string): Promise<void> => {
    expect((await pay(app, seller, id)).status).toBe(202)
  }

  test('by Pix: one click, a code to copy, and paid without reloading', async () => {
    const { page, context } = await visit()
    await inspect({ page }, 'form')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    const id = await paymentIn(page)
    const { pix } = await getPayment(app, seller, id)
    expect(await page.getByLabel('Pix copia e cola').inputValue()).toBe(pix.qrCode)
    await page.getByRole('button', { name: 'Copiar código' }).click()
    await page.getByText('Copiado').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(pix.qrCode)
    expect(await page.getByRole('timer').textContent()).toMatch(/^(59:\d\d|1 h 00 min)$/)
    await inspect({ page }, 'pix')
    await page.evaluate('window.stayed = true')
    await settle(id)
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    expect(await page.evaluate('window.stayed')).toBe(true)
    expect(await page.title()).toMatch(/^Pago · /)
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('by boleto: errors beside their fields as they are typed, a line to copy, bars that can be read', async () => {
    const { page } = await visit()
    await page.getByLabel('Boleto').check()
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('errors')
    await inspect({ page }, 'errors')
    await page.getByRole('link', { name: 'Informe seu CPF ou CNPJ.' }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('document')
    const field = page.getByLabel('CPF ou CNPJ')
    await field.fill('529.982.247-26')
    await page.getByText('não é válido').first().waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('529.982.247-25')
    expect(await field.getAttribute('aria-invalid')).toBeNull()
    await fillPayer(page)
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    const id = await paymentIn(page)
    const { boleto } = await getPayment(app, seller, id)
    expect(readDrawnBarcode(await page.locator('svg.barcode').innerHTML())).toBe(boleto.barcode)
    const line = await page.getByLabel('Linha digitável').inputValue()
    expect(line.replace(/\D/g, '')).toBe(boleto.line)
    await inspect({ page }, 'boleto')
    await page.emulateMedia({ media: 'print' })
    const widthMm = await page.evaluate<number>(
      'document.querySelector("svg.barcode").getBoundingClientRect().width * 25.4 / 96',
    )
    expect(widthMm).toBeCloseTo(108.1, 0)
    expect(await page.getByRole('button').count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await settle(id)
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  })

  test('by card: the number is typed on another origin, and no request to the platform has it', async () => {
    const { page, requests } = await visit()
    await page.getByLabel('Cartão de crédito').check()
    const frame = await cardFrame(page)
    expect(new URL(frame.url()).origin).not.toBe(app.url)
    await inspect({ page }, 'card')
    await fillPayer(page)
    await fillCard(page, '4111 1111 1111 1112')
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await frame.getByText('Confira o número do cartão.').waitFor()
    expect(await frame.evaluate('document.activeElement.id')).toBe('number')
    await fillCard(page, CARD.approved)
    await page.getByLabel('Parcelas').selectOption({ label: '3× de R$\u00a083,30' })
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    const id = await paymentIn(page)
    await page.getByText('Visa final 1111, em 3×').waitFor()
    expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', installments: 3 })
    const sent = requests.map(({ url, body }) => `${url} ${decodeURIComponent(body)}`)
    expect(sent.some((text) => text.includes('tok_visa_'))).toBe(true)
    expect(sent.filter((text) => /4111|08%2F35|08\/35|code=|=123\b/.test(text))).toEqual([])
  })

  test('a declined card says so, and the next one is paid', async () => {
    const { page } = await visit()
    await page.getByLabel('Cartão de crédito').check()
    await fillPayer(page)
    await fillCard(page, CARD.declined)
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.getByRole('heading', { name: 'O cartão não foi aprovado' }).waitFor()
    await inspect({ page }, 'declined')
    await page.getByRole('link', { name: 'Tentar de novo' }).click()
    expect(await page.getByLabel('Cartão de crédito').isChecked()).toBe(true)
    await fillPayer(page)
    await fillCard(page, CARD.approved)
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  })

  test('an open amount is chosen within its bounds, and its installments follow', async () => {
    const { page } = await visit({ amount: null, minAmount: 500, maxAmount: 100_000, title: 'Doação' })
    await page.getByLabel('Valor').fill('4')
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.getByText('De R$').nth(1).waitFor()
    await page.getByLabel('Valor').fill('100')
    await page.getByLabel('Cartão de crédito').check()
    await cardFrame(page)
    const options = await page.getByLabel('Parcelas').locator('option').allTextContents()
    expect(options[0]).toBe('À vista, R$\u00a0100,00')
    expect(options[2]).toBe('3× de R$\u00a033,33')
    await page.getByLabel('Parcelas').selectOption('3')
    await page.getByText('1ª parcela de R$\u00a033,34. Total de R$\u00a0100,00, sem juros.').waitFor()
    await page.getByRole('button', { name: /^Pagar com cartão.*R\$\s100,00$/ }).waitFor()
    await inspect({ page }, 'open-amount')
    await page.getByLabel('Pix').check()
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    expect((await getPayment(app, seller, await paymentIn(page))).amount).toBe(10_000)
  })

  test('leads back to the shop after paying, unless the payer stays', async () => {
    const shop = 'https://loja.example.com/obrigado'
    const { page, context } = await visit({ successUrl: shop })
    await context.route(shop, (route) => route.abort('aborted'))
    await page.getByLabel('Cartão de crédito').check()
    await fillPayer(page)
    await fillCard(page, CARD.approved)
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.getByRole('link', { name: 'Voltar para a loja' }).waitFor()
    await inspect({ page }, 'paid-with-way-back')
    await context.unroute(shop)
    await context.route(shop, (route) => route.fulfill({ body: 'shop', contentType: 'text/plain' }))
    await page.clock.install()
    await page.reload()
    await page.getByRole('button', { name: 'Ficar nesta página' }).click()
    await page.clock.runFor(30_000)
    expect(new URL(page.url()).origin).toBe(app.url)
    await page.reload()
    await page.getByRole('button', { name: 'Ficar nesta página' }).waitFor()
    await page.clock.runFor(10_000)
    await page.waitForURL(shop)
  })

  test('without JavaScript: Pix and boleto by plain forms, cards say what they need', async () => {
    const { page } = await visit({}, { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Bolo de aniversário de chocolate')
    await page.getByText('R$\u00a0249,90').first().waitFor()
    await page.getByLabel('Cartão de crédito').check()
    await page.locator('#card noscript p').waitFor()
    await page.getByLabel('Boleto').check()
    await page.getByLabel('Nome completo').fill('Francisco da Silva')
    await page.getByLabel('CPF ou CNPJ').fill('1')
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    await page.getByText('Este CPF ou CNPJ não é válido.').first().waitFor()
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('Francisco da Silva')
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25')
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    const boleto = await paymentIn(page)
    expect(await page.getByRole('button', { name: 'Copiar linha' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Escolher outra forma de pagamento' }).click()
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL((url) => url.pathname.includes('/payments/') && !url.pathname.endsWith(boleto))
    await settle(await paymentIn(page))
    await page.getByRole('link', { name: 'Já paguei, verificar agora' }).click()
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  })

  test('in English, for those whose browser asks for it', async () => {
    const { page } = await visit({}, { locale: 'en-US' })
    await page.getByLabel('Credit card').check()
    await (await cardFrame(page)).getByLabel('Card number').waitFor()
    await page.getByLabel('Pix').check()
    await page.getByRole('button', { name: 'Create Pix' }).click()
    await settle(await paymentIn(page))
    await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor()
  })

  test('no page broke its security policy, printed an error or asked anybody else for anything', () => {
    const known = [app.url, new URL(app.services.cardFields?.url('pt') ?? '').origin, 'https://loja.example.com']
    expect(payers.flatMap(({ complaints }) => complaints)).toEqual([])
    const asked = payers.flatMap(({ requests }) => requests.map(({ url }) => new URL(url).origin))
    expect(asked.length).toBeGreaterThan(50)
    expect([...new Set(asked)].filter((origin) => !known.includes(origin))).toEqual([])
  })
})
