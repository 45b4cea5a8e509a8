import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findChromium, startChromium } from '../support/chromium.ts'
import type { Seller } from '../support/factories.ts'
import { CARD, fillCard, fillPayer, inspect, newPayer, picture } from '../support/pages.ts'
import { createLink, payLink, putLink } from '../support/payment-links.ts'
import { pay, sellingSeller } from '../support/payments.ts'

const chromium = findChromium()
const TIMEOUT_MS = 60_000
const WEIGHT_MAX_BYTES = 60 * 1_024

describe.runIf(chromium !== undefined)('what can happen to a payer', { timeout: TIMEOUT_MS }, () => {
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

  const newLink = (fields: Record<string, unknown> = {}) =>
    createLink(app, seller, { methods: ['pix', 'credit_card'], maxInstallments: 3, ...fields })

  const visit = async (fields: Record<string, unknown> = {}) => {
    const link = await newLink(fields)
    const payer = await newPayer(browser)
    await payer.page.goto(link.url)
    return { ...payer, link }
  }

  const countOf = async ({ id }: { id: string }): Promise<number> =>
    Number((await app.sql.query('select count(*) from payments where payment_link_id = $1', [id])).rows[0].count)

  const idIn = (url: string): string => url.split('/').at(-1) ?? ''

  test('a link that ended says how', async () => {
    const { page } = await newPayer(browser)
    const shown = async (name: string, link: { url: string }, heading: string) => {
      await page.goto(link.url)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await page.locator('form').count()).toBe(0)
      await inspect({ page }, name)
    }
    const expired = await newLink({ description: 'Três andares, serve 40 pessoas.' })
    await app.sql.query("update payment_links set expires_at = now() - interval '1 minute' where id = $1", [expired.id])
    await shown('link-expired', expired, 'Este link expirou')
    const completed = await newLink({ maxPayments: 1 })
    await pay(app, seller, (await payLink(app, completed)).id)
    await shown('link-completed', completed, 'Este link já foi pago')
    const paused = await newLink()
    await putLink(app, seller, paused, { status: 'inactive' })
    await page.goto(paused.url)
    await page.getByRole('heading', { name: 'Este link está pausado' }).waitFor()
    await picture({ page }, 'link-paused')
    const deleted = await newLink()
    await app.api.delete(`payment-links/${deleted.id}`, { token: seller.token })
    await shown('link-deleted', deleted, 'Este link não existe mais')
    await page.goto(`${app.url}/pay/unknown`)
    await page.getByRole('heading', { name: 'Link não encontrado' }).waitFor()
    await picture({ page }, 'link-unknown')
  })

  test('a payment that ended says how', async () => {
    const { page } = await newPayer(browser)
    const link = await newLink()
    const shown = async (name: string, end: (id: string) => Promise<unknown>, heading: string) => {
      const { id } = await payLink(app, link)
      await end(id)
      await page.goto(`${link.url}/payments/${id}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await picture({ page }, name)
    }
    const post = (path: string) => app.api.post(path, { token: seller.token })
    await shown('expired', (id) => post(`sandbox/payments/${id}/expire`), 'O prazo deste pagamento acabou')
    await shown('canceled', (id) => post(`payments/${id}/cancel`), 'Este pagamento foi cancelado')
    const refund = async (id: string) => {
      await pay(app, seller, id)
      await app.sql.query("update payments set status = 'refunded' where id = $1", [id])
    }
    await shown('refunded', refund, 'Pagamento devolvido')
  })

  test('the poster of a link is fit for a counter', async () => {
    const { page, link } = await visit({ title: 'Café da manhã', amount: 3_500 })
    await page.goto(`${link.url}/poster`)
    await page.getByRole('img', { name: 'QR code deste link de pagamento' }).waitFor()
    await inspect({ page }, 'poster')
  })

  test('a double click pays once', async () => {
    const { page, link } = await visit()
    await page.getByLabel('Cartão de crédito').check()
    await fillPayer(page)
    await fillCard(page, CARD.approved)
    await page.getByRole('button', { name: 'Pagar com cartão' }).dblclick()
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    expect(await countOf(link)).toBe(1)
  })

  test('the back button, a reload and a second tab lead to the payment that is open', async () => {
    const { page, context, link } = await visit()
    const second = await context.newPage()
    await second.goto(link.url)
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL(/\/payments\//)
    const { pathname } = new URL(page.url())
    await page.reload()
    await page.getByRole('heading', { name: 'Pague com Pix' }).waitFor()
    await second.getByRole('button', { name: 'Gerar Pix' }).click()
    await second.waitForURL(`**${pathname}`)
    await page.goBack()
    await page.getByRole('heading', { name: 'Você já começou a pagar' }).waitFor()
    await inspect({ page }, 'existing')
    await page.getByRole('link', { name: 'Continuar o pagamento' }).click()
    await page.waitForURL(`**${pathname}`)
    expect(await countOf(link)).toBe(1)
    await pay(app, seller, idIn(pathname))
    for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
    await page.goto(link.url)
    await page.getByRole('heading', { name: 'Você já pagou' }).waitFor()
    await picture({ page }, 'existing-paid')
  })

  test('a connection that is gone while paying is said, and the same attempt goes on', async () => {
    const { page, context, link } = await visit()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.getByText('Seus dados continuam aqui').waitFor()
    await inspect({ page }, 'offline')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.waitForURL(/\/payments\//)
    expect(await countOf(link)).toBe(1)
  })

  test('a server that is away says so beside what was typed', async () => {
    const { page, link } = await visit()
    const unavailable = await (await fetch(`${app.url}/pay/unknown`)).text()
    await page.route('**/pay/*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, body: unavailable }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.getByRole('heading', { name: 'Link não encontrado' }).waitFor()
    await picture({ page }, 'server-away')
    await page.unroute('**/pay/*')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.waitForURL(/\/payments\//)
    expect(await countOf(link)).toBe(1)
  })

  test('an answer that is lost on the way is asked for again, and nothing is paid twice', async () => {
    const { page, link } = await visit()
    await page.route('**/pay/*', async (route) => {
      // The payment is made, and nobody hears of it.
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch({ maxRedirects: 0 })
      return route.abort()
    })
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.getByText('Seus dados continuam aqui').waitFor()
    await page.unroute('**/pay/*')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.waitForURL(/\/payments\//)
    expect(await countOf(link)).toBe(1)
  })

  test('a connection that is gone while waiting is said, and what happened meanwhile is seen', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL(/\/payments\//)
    const api = '**/api/v1/**'
    await page.route(api, (route) => route.abort())
    await page.reload()
    await page.getByText('Sem conexão. Voltamos a verificar').waitFor()
    await inspect({ page }, 'reconnecting')
    await pay(app, seller, idIn(page.url()))
    await page.unroute(api)
    await page.evaluate('dispatchEvent(new Event("online"))')
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  })

  test('where no stream gets through, the page asks', async () => {
    const { page } = await visit()
    await page.route('**/events', (route) => route.abort())
    await page.getByRole('button', { name: 'Gerar Pix' }).click()
    await page.waitForURL(/\/payments\//)
    await pay(app, seller, idIn(page.url()))
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor()
  })

  test('card fields that do not load are said, and loaded again', async () => {
    const { page } = await visit()
    const origin = new URL(app.services.cardFields?.url('pt') ?? '').origin
    await page.clock.install()
    await page.route(`${origin}/**`, (route) => route.abort())
    await page.getByLabel('Cartão de crédito').check()
    await page.clock.fastForward(11_000)
    await page.getByText('Não foi possível carregar os campos do cartão.').waitFor()
    await picture({ page }, 'card-fields-away')
    await page.unroute(`${origin}/**`)
    await page.getByRole('button', { name: 'Carregar de novo' }).click()
    await fillCard(page, CARD.approved)
  })

  test('a foreign page cannot speak for the card fields', async () => {
    const { page, requests } = await visit()
    await page.getByLabel('Cartão de crédito').check()
    await fillPayer(page)
    await fillCard(page, CARD.approved)
    // All the time, so that one comes while the page waits for the real one.
    await page.evaluate(
      'setInterval(() => postMessage({ type: "card-fields:token", token: "tok_forged_0001" }, "*"), 1)',
    )
    await page.getByRole('button', { name: 'Pagar com cartão' }).click()
    await page.waitForURL(/\/payments\//)
    expect(requests.filter(({ body }) => body.includes('tok_forged'))).toEqual([])
  })

  test('the keyboard alone is enough', async () => {
    const { page } = await visit()
    const focused = () => page.evaluate<string>('document.activeElement.outerHTML')
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('class="skip"')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('value="pix"')
    await page.keyboard.press('ArrowDown')
    await page.getByLabel('Nome completo').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('type="submit"')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payments\//)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('id="pix-code"')
  })

  test('weighs less than 60 KiB before the QR code, and shows seller and amount without its script', async () => {
    const link = await newLink({ title: 'Bolo', amount: 24_990 })
    const { page, context } = await newPayer(browser)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(link.url, { waitUntil: 'networkidle' })
    process.stdout.write(`the checkout weighs ${bytes} bytes over the wire\n`)
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(WEIGHT_MAX_BYTES)
    const bare = await newPayer(browser, { javaScriptEnabled: false })
    await bare.page.goto(link.url)
    for (const text of ['Padaria da Maria', 'R$\u00a0249,90']) await bare.page.getByText(text).first().waitFor()
  })
})
