import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { companyBody } from '../support/company.ts'
import { approveCompany, createCompany, registerSeller, type Seller } from '../support/factories.ts'
import { createLink, payLink, putLink, sellerWithLink } from '../support/payment-links.ts'
import { openPage, type PageAnswer } from '../support/payment-pages.ts'
import { pay } from '../support/payments.ts'
import { until } from '../support/until.ts'

let app: TestApp
let seller: Seller

const METHODS = ['pix', 'boleto', 'credit_card']
const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

beforeAll(async () => {
  app = await startTestApp()
  ;({ seller } = await sellerWithLink(app))
})

afterAll(() => app.close())

const linkPage = async (fields: Record<string, unknown>, language = 'pt-BR'): Promise<PageAnswer> => {
  const { hash } = await createLink(app, seller, { methods: METHODS, maxInstallments: 3, ...fields })
  return openPage(app, `/pay/${hash}`, { language })
}

describe('GET /pay/{hash}', () => {
  test('200: shows who is paid, what for and how much, in Portuguese', async () => {
    const page = await linkPage({ title: 'Camiseta azul', description: 'Tamanho M', amount: 123_456 })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-language')).toBe('pt-BR')
    for (const text of [
      'lang="pt-BR"',
      'Padaria da Maria',
      'Camiseta azul',
      'Tamanho M',
      'R$\u00a01.234,56',
      'Gerar Pix',
    ])
      expect(page.text).toContain(text)
    expect(page.text).toContain('3× de R$\u00a0411,52')
  })

  test('200: speaks English to those who ask for it', async () => {
    const page = await linkPage({ amount: 123_456 }, 'en-GB,en;q=0.9,pt;q=0.5')
    expect(page.headers.get('content-language')).toBe('en')
    for (const text of ['lang="en-US"', 'R$1,234.56', 'Create Pix', 'How would you like to pay?'])
      expect(page.text).toContain(text)
  })

  test('200: says that it is safe, and names the brands of cards where one can be used', async () => {
    const page = await linkPage({})
    for (const text of ['Pagamento protegido', 'Visa', 'Mastercard', 'Elo', 'Hipercard', 'American Express'])
      expect(page.text).toContain(text)
    const { text } = await linkPage({ methods: ['pix'], maxInstallments: 1 })
    expect([text.includes('Pagamento protegido'), text.includes('Hipercard')]).toEqual([true, false])
  })

  test('200: an open link asks for the amount and says its bounds', async () => {
    const page = await linkPage({ amount: null, minAmount: 500, maxAmount: 10_000 })
    expect(page.text).toContain('id="amount"')
    expect(page.text).toContain('De R$\u00a05,00 a R$\u00a0100,00')
  })

  test('200: offers the link’s methods and asks only for what they need', async () => {
    const page = await linkPage({ methods: ['pix'], maxInstallments: 1 })
    expect(page.text).not.toContain('value="boleto"')
    expect(page.text).not.toContain('name="document"')
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'none'")
  })

  test('200: tells social networks its title, its description and its address', async () => {
    const { hash, url } = await createLink(app, seller, { title: 'Bolo', description: 'De chocolate', amount: 5_000 })
    const { text } = await openPage(app, `/pay/${hash}`)
    for (const tag of [
      '<title>Bolo · Padaria da Maria</title>',
      '<meta property="og:title" content="R$\u00a050,00 · Bolo">',
      '<meta property="og:description" content="De chocolate">',
      '<meta property="og:site_name" content="Padaria da Maria">',
      `<meta property="og:url" content="${url}">`,
      '<meta property="og:locale" content="pt_BR">',
    ])
      expect(text).toContain(tag)
  })

  test('200: tells nothing of the seller beyond the trade name', async () => {
    const { text } = await linkPage({})
    const { body: company } = await app.api.get('companies', { token: seller.token })
    const { id, cnpj, email, phone, companyName, contactEmail } = company.data[0]
    for (const secret of [seller.id, seller.email, id, cnpj, email, phone, companyName, contactEmail])
      expect(text).not.toContain(String(secret))
  })

  test('200: what a seller writes stays text', async () => {
    const stranger = await registerSeller(app)
    const company = await createCompany(app, stranger, { ...companyBody(), tradeName: HOSTILE.slice(0, 100) })
    const { id } = company
    await app.api.post(`companies/${id}/documents`, { token: stranger.token, body: documentOf() })
    await approveCompany(app, id)
    const fields = { title: HOSTILE, description: `${HOSTILE}\u2028`, methods: METHODS }
    const { hash } = await createLink(app, stranger, fields)
    const { id: paymentId } = await payLink(app, { hash })
    for (const path of ['', '/poster', `/payments/${paymentId}`]) {
      const { text } = await openPage(app, `/pay/${hash}${path}`)
      expect([path, text.includes('&lt;script&gt;alert(1)')]).toEqual([path, true])
      expect([path, /<script>|<img|onerror='/.test(text)]).toEqual([path, false])
    }
  })

  test('200: parameters lead nowhere and are not shown', async () => {
    const { hash } = await createLink(app, seller)
    const query = `?successUrl=https://evil.example&method=${encodeURIComponent(HOSTILE)}&again=${encodeURIComponent(HOSTILE)}&method=x`
    const { status, text } = await openPage(app, `/pay/${hash}${query}`)
    expect([status, text.includes('evil.example'), text.includes('alert(1)')]).toEqual([200, false, false])
  })
})

describe('the states of a link', () => {
  test('404: an unknown address is a page that says so, whatever it looks like', async () => {
    for (const hash of ['nothing', '%3Cscript%3E', '..%2f..%2fetc', 'a'.repeat(150)]) {
      const page = await openPage(app, `/pay/${hash}`)
      expect([hash, page.status]).toEqual([hash, 404])
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('Link não encontrado')
      expect(page.text).not.toContain('<script>')
    }
  })

  test('410: a deleted link says so and tells nothing of what it was', async () => {
    const link = await createLink(app, seller, { title: 'Segredo' })
    await app.api.delete(`payment-links/${link.id}`, { token: seller.token })
    const page = await openPage(app, `/pay/${link.hash}`)
    expect([page.status, page.text.includes('não existe mais'), page.text.includes('Segredo')]).toEqual([
      410,
      true,
      false,
    ])
  })

  test('200: an expired link has no form', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const link = await createLink(app, seller, { expiresAt })
    await app.sql.query("update payment_links set expires_at = now() - interval '1 minute' where id = $1", [link.id])
    const page = await openPage(app, `/pay/${link.hash}`)
    expect([page.status, page.text.includes('Este link expirou'), page.text.includes('<form')]).toEqual([
      200,
      true,
      false,
    ])
  })

  test('200: a link that a seller paused has no form', async () => {
    const link = await createLink(app, seller)
    expect((await putLink(app, seller, link, { status: 'inactive' })).status).toBe(200)
    const page = await openPage(app, `/pay/${link.hash}`)
    expect([page.text.includes('pausado'), page.text.includes('<form')]).toEqual([true, false])
  })

  test('200: a completed link has no form', async () => {
    const link = await createLink(app, seller, { maxPayments: 1 })
    const { id } = await payLink(app, link)
    expect((await pay(app, seller, id)).status).toBe(202)
    const page = await until('the link is completed', async () => {
      const shown = await openPage(app, `/pay/${link.hash}`)
      return shown.text.includes('já foi pago') && shown
    })
    expect([page.status, page.text.includes('<form')]).toEqual([200, false])
  })

  test('404: another link’s payment, and what is no payment', async () => {
    const [one, other] = [await createLink(app, seller), await createLink(app, seller)]
    const { id } = await payLink(app, one)
    for (const path of [
      `/pay/${other.hash}/payments/${id}`,
      `/pay/${one.hash}/payments/%00`,
      `/pay/${one.hash}/payments/x`,
    ]) {
      const page = await openPage(app, path)
      expect([path, page.status >= 400 && page.status < 500, page.text.includes('<main')]).toEqual([path, true, true])
    }
  })
})

describe('the QR code of a link', () => {
  test('200: as an image, SVG or PNG, and on a poster', async () => {
    const { hash, url } = await createLink(app, seller, { title: 'Balcão' })
    const svg = await openPage(app, `/pay/${hash}/qr-code`)
    expect([svg.status, svg.headers.get('content-type'), svg.text.startsWith('<svg')]).toEqual([
      200,
      'image/svg+xml',
      true,
    ])
    const png = await openPage(app, `/pay/${hash}/qr-code`, { headers: { accept: 'image/png' } })
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png'])
    const poster = await openPage(app, `/pay/${hash}/poster`)
    expect([poster.status, poster.text.includes('class="qr"'), poster.text.includes(url)]).toEqual([200, true, true])
  })

  test('404 and 410: of no link and of a deleted one', async () => {
    const { id, hash } = await createLink(app, seller)
    await app.api.delete(`payment-links/${id}`, { token: seller.token })
    for (const path of ['qr-code', 'poster']) {
      expect((await openPage(app, `/pay/unknown/${path}`)).status).toBe(404)
      expect((await openPage(app, `/pay/${hash}/${path}`)).status).toBe(410)
    }
  })
})

const documentOf = (): FormData => {
  const form = new FormData()
  form.set('type', 'cnpj_card')
  form.set('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'cnpj.pdf')
  return form
}
