import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findChromium, startChromium } from '../support/chromium.ts'
import type { Seller } from '../support/factories.ts'
import { cardFrame, newPayer, type Payer } from '../support/pages.ts'
import { createPayment, sellingSeller } from '../support/payments.ts'

const chromium = findChromium()
const TIMEOUT_MS = 60_000

const NUMBER = '4111111111111111'
const DARK = { dark: true, fontFamily: 'Georgia, serif', accent: '#ff8800', text: 'url(https://evil.example)' }

const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'guides', 'cards.md')

// What the guide of cards prints, with this platform in the place of the one that it names.
const samplePage = (api: string): string => {
  const [, sample = ''] = /```html\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? []
  return `<!doctype html><html lang="pt-BR"><title>Loja</title>${sample.replace('https://pay.example.com', api)}</html>`
}

// A shop with a policy of its own, on an origin of its own.
const shopPage = (api: string, fields: string) => `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>Loja</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src ${api} 'nonce-shop'; frame-src ${fields} 'self'; img-src data:">
<link rel="icon" href="data:,">
<script src="${api}/fields/v1.js"></script></head>
<body><h1>Loja</h1><div id="card"></div><script nonce="shop">
window.heard = []
addEventListener('message', ({ data }) => heard.push(data))
window.begin = (options) => { window.fields = PaymentFields.mount('#card', options); return fields.ready }
window.press = () => fields.tokenize().catch(({ name, code }) => ({ name, code }))
</script></body></html>`

describe.runIf(chromium !== undefined)('card fields in the page of a shop', { timeout: TIMEOUT_MS }, () => {
  let app: TestApp
  let seller: Seller
  let shop: Server
  let browser: Browser
  let payer: Payer
  let page: Page
  let address: string

  beforeAll(async () => {
    app = await startTestApp()
    seller = await sellingSeller(app)
    const fields = new URL(app.services.shopFieldsUrl('pt') ?? '').origin
    shop = createServer(async (request, response) => {
      const html = request.url === '/sample' ? samplePage(app.url) : shopPage(app.url, fields)
      if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
      const { cardToken } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const { status } = await createPayment(app, seller, { method: 'credit_card', cardToken })
      return response.end(JSON.stringify({ message: status }))
    })
    await once(shop.listen(0, '127.0.0.1'), 'listening')
    address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    browser = await startChromium(chromium ?? '')
    payer = await newPayer(browser)
    page = payer.page
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser.close()
    shop.close()
    await app.close()
  })

  const visit = async (options: object = {}) => {
    await page.goto(address)
    await page.evaluate(`begin(${JSON.stringify(options)})`)
    return cardFrame(page)
  }

  type Fields = Awaited<ReturnType<typeof visit>>

  const type = async (frame: Fields, number = NUMBER, expiry = '0830') => {
    await frame.getByLabel('Número do cartão').fill(number)
    await frame.getByLabel('Validade').fill(expiry)
    await frame.getByLabel('Código').fill('123')
  }

  const press = () => page.evaluate<Record<string, unknown>>('press()')

  test('from what the payer types to a paid payment, and the shop never has the number', async () => {
    await type(await visit())
    const [card, same] = await page.evaluate<Record<string, unknown>[]>('Promise.all([press(), press()])')
    expect(card).toEqual({
      cardToken: expect.stringMatching(/^tok_visa_/),
      ...{ brand: 'visa', last4: '1111', expMonth: 8, expYear: 2030 },
    })
    expect(same).toEqual(card)
    const payment = await createPayment(app, seller, { method: 'credit_card', cardToken: card?.cardToken })
    expect(payment).toMatchObject({
      status: 'paid',
      card: { brand: 'visa', last4: '1111', expMonth: 8, expYear: 2030 },
    })
    const sent = JSON.stringify([payer.requests, await page.evaluate('heard')])
    expect(sent).toContain('/fields/v1.js')
    expect(sent).not.toContain(NUMBER.slice(0, 12))
    expect(payer.requests.filter(({ body }) => body !== '')).toEqual([])
    expect(await page.context().cookies()).toEqual([])
    expect(payer.complaints).toEqual([])
  })

  test('the page that the guide of cards prints works as printed', async () => {
    await page.goto(`${address}/sample`)
    const frame = await cardFrame(page)
    const told = page.getByRole('alert')
    await page.getByRole('button', { name: 'Pagar' }).click()
    await frame.getByText('Confira o número do cartão.').waitFor()
    for (const [number, status] of [
      ['4000000000000002', 'failed'],
      [NUMBER, 'paid'],
    ] as const) {
      await type(frame, number)
      await page.getByRole('button', { name: 'Pagar' }).click()
      await told.filter({ hasText: status }).waitFor()
    }
  })

  test('what is wrong is told beside its field, in the payer’s language, and the shop hears only that it is', async () => {
    const frame = await visit()
    await type(frame, '4111111111111112', '0120')
    expect(await press()).toEqual({ name: 'PaymentFieldsError', code: 'invalid' })
    const number = frame.getByLabel('Número do cartão')
    expect(await number.getAttribute('aria-invalid')).toBe('true')
    expect(await number.evaluate('document.activeElement.id')).toBe('number')
    const told = await frame.locator('.error:visible').allTextContents()
    expect(told).toEqual(['Confira o número do cartão.', 'Confira a validade, como 08/30.'])
    const heights = 'heard.filter(({ type }) => type === "card-fields:height").map(({ height }) => height)'
    const [first = 0, ...later] = await page.evaluate<number[]>(heights)
    expect(later.at(-1)).toBeGreaterThan(first)
    await type(frame)
    expect(await press()).toMatchObject({ last4: '1111' })
  })

  test('messages of anybody else are heard by neither side', async () => {
    const frame = await visit()
    const forged = { type: 'card-fields:token', token: 'tok_forged_0001' }
    await frame.evaluate('window.asked = 0; addEventListener("message", () => { asked += 1 })')
    // A frame beside the fields, of the shop's own or of whoever advertises there.
    await page.evaluate(
      `new Promise((done) => {
        const beside = document.createElement('iframe')
        beside.src = '/beside'
        beside.addEventListener('load', done)
        document.body.append(beside)
      })`,
    )
    const beside = page.frames().find((one) => one.url().endsWith('/beside'))
    const send = (message: object, to: string) => `${to}.postMessage(${JSON.stringify(message)}, '*')`
    await page.evaluate(
      `window.pressed = undefined; press().then((told) => { pressed = told }); ${send(forged, 'window')}`,
    )
    await beside?.evaluate(send(forged, 'parent'))
    await beside?.evaluate(send({ type: 'card-fields:tokenize' }, 'parent.frames[0]'))
    await frame.waitForFunction('asked === 2')
    // The fields are empty: that they say so is theirs alone, and they say it once.
    await page.waitForFunction('pressed')
    expect(await page.evaluate('pressed')).toEqual({ name: 'PaymentFieldsError', code: 'invalid' })
    expect(await page.evaluate('heard.filter(({ type }) => type === "card-fields:invalid").length')).toBe(1)
  })

  test('a shop chooses colours, a font and the language, and nothing else; it takes the fields away', async () => {
    const frame = await visit({ locale: 'en', theme: DARK })
    expect(await frame.getByLabel('Card number').isVisible()).toBe(true)
    const worn = await frame.evaluate<string[]>(`(() => {
      const style = getComputedStyle(document.documentElement)
      const { fontFamily } = getComputedStyle(document.body)
      return [style.colorScheme, fontFamily, ...['--accent', '--text'].map((name) => style.getPropertyValue(name))]
    })()`)
    expect(worn).toEqual(['dark', 'Georgia, serif', '#ff8800', '#e9f0ec'])
    await page.evaluate('fields.unmount()')
    expect(await press()).toEqual({ name: 'PaymentFieldsError', code: 'unmounted' })
    expect(await page.locator('iframe').count()).toBe(0)
  })
})
