import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSameOrigin } from '../../src/checkout/same-origin.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { createLink, payLink, sellerWithLink } from '../support/payment-links.ts'
import { openPage, sendForm } from '../support/payment-pages.ts'

let app: TestApp
let seller: Seller
let hash: string

beforeAll(async () => {
  app = await startTestApp()
  const made = await sellerWithLink(app, { methods: ['pix', 'boleto', 'credit_card'] })
  seller = made.seller
  hash = made.link.hash
})

afterAll(() => app.close())

describe('the headers of every page', () => {
  test('nothing inline, nothing from elsewhere, in nobody’s frame, in no cache', async () => {
    const { id } = await payLink(app, { hash })
    for (const path of [`/pay/${hash}`, `/pay/${hash}/payments/${id}`, `/pay/${hash}/poster`, '/pay/unknown']) {
      const { headers } = await openPage(app, path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).not.toContain('unsafe')
      expect(policy).not.toContain('*')
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
        expect(policy.split('; ')).toContain(rule)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('a page holds no inline script, style or handler', async () => {
    const { text } = await openPage(app, `/pay/${hash}`)
    expect(text).not.toMatch(/<style|\sstyle="|\son\w+="|<script(?![^>]*\ssrc=)/)
  })

  test('only the page with card fields may frame, and only their origin', async () => {
    const { headers, text } = await openPage(app, `/pay/${hash}`)
    const address = /data-card-fields="([^"]+)"/.exec(text)?.[1] ?? ''
    const { origin } = new URL(address)
    expect(origin).not.toBe(app.url)
    expect(headers.get('content-security-policy')).toContain(`frame-src ${origin};`)
  })
})

describe('the style and the script', () => {
  const pathsOf = async (): Promise<string[]> => {
    const { text } = await openPage(app, `/pay/${hash}`)
    return [...text.matchAll(/"(\/pay\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  }

  test('200: have the hash of their content in their paths, and are kept for ever', async () => {
    const paths = await pathsOf()
    expect(paths.filter((path) => /^\/pay\/assets\/[0-9a-f]{12}\/checkout\.(?:css|js)$/.test(path)).length).toBe(2)
    for (const path of paths) {
      const { status, headers } = await openPage(app, path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      expect(headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    }
  })

  test('404: under any other name', async () => {
    const [path = ''] = await pathsOf()
    const version = path.split('/')[3] ?? ''
    for (const other of [
      '000000000000/checkout.js',
      `${version}/none.js`,
      `${version}/..%2fcheckout.plugin.ts`,
      '..%2fpage.ts',
    ]) {
      expect([other, (await openPage(app, `/pay/assets/${other}`)).status]).toEqual([other, 404])
    }
  })

  test('the modules that the script imports are all announced', async () => {
    const paths = await pathsOf()
    for (const path of paths.filter((name) => name.endsWith('.js'))) {
      const { text } = await openPage(app, path)
      for (const [, name = ''] of text.matchAll(/ from '\.\/([^']+)'/g)) {
        expect(paths).toContain(path.replace(/[^/]+$/, name))
      }
    }
    expect(paths.length).toBeGreaterThan(5)
  })

  test.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.0', undefined],
    [undefined, undefined],
    ['GZIP', 'gzip'],
  ])('are sent in the encoding that is welcome: to "%s" in %s', async (accept, encoding) => {
    const path = (await pathsOf()).find((name) => name.endsWith('.css')) ?? ''
    const headers = accept === undefined ? {} : { 'accept-encoding': accept }
    const sent = await app.app.inject({ url: path, headers })
    expect([sent.headers['content-encoding'], sent.headers.vary]).toEqual([encoding, 'accept-encoding'])
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes)
    expect(decode(sent.rawPayload).toString()).toContain('color-scheme')
  })

  test('304: are not sent again to a browser that asks whether they changed', async () => {
    const [path = ''] = await pathsOf()
    const { headers } = await app.app.inject(path)
    const again = await app.app.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('the cookie of a payer', () => {
  test('is for this link, for a day, and out of reach of scripts', async () => {
    const { headers } = await openPage(app, `/pay/${hash}`)
    const [value, ...attributes] = (headers.get('set-cookie') ?? '').split('; ')
    expect(value).toMatch(new RegExp(`^checkout-${hash}=[0-9a-f-]{36}$`))
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=86400', 'Path=/', 'SameSite=Lax'])
  })

  test('travels over https only where the platform is reached over https, where the operator’s terms are shown', async () => {
    const legal = {
      CHECKOUT_TERMS_URL: 'https://example.com/terms?a=1&b=2',
      CHECKOUT_PRIVACY_URL: 'https://example.com/privacy',
    }
    const secured = await startTestApp({ PUBLIC_URL: 'https://pay.example.com', ...legal })
    const made = await sellerWithLink(secured)
    const { headers, text } = await openPage(secured, `/pay/${made.link.hash}`)
    expect(headers.get('set-cookie')?.split('; ')).toContain('Secure')
    expect(text).toContain(`<link rel="canonical" href="https://pay.example.com/pay/${made.link.hash}">`)
    expect(text).toContain('<a href="https://example.com/terms?a=1&amp;b=2" rel="noreferrer">Termos de uso</a>')
    expect(text).toContain('<a href="https://example.com/privacy" rel="noreferrer">Privacidade</a>')
    await secured.close()
  })

  test('that makes no sense is as good as none', async () => {
    const name = `checkout-${hash}`
    for (const cookie of [`${name}=`, `${name}=x.y`, `${name}=${'1'.repeat(300)}`, `other=1; ${name}="`]) {
      const page = await openPage(app, `/pay/${hash}`, { cookie })
      expect([cookie, page.status, page.text.includes('<form')]).toEqual([cookie, 200, true])
    }
  })
})

describe('a form from elsewhere', () => {
  const count = async (): Promise<number> =>
    Number((await app.sql.query('select count(*) from payments where payment_link_id is not null')).rows[0].count)

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['a frame without origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['nowhere in particular', { 'sec-fetch-site': 'none' }],
  ])('403: %s begins no payment', async (_name, given) => {
    const before = await count()
    const page = await sendForm(app, `/pay/${hash}`, { method: 'pix' }, { headers: given })
    expect([page.status, page.text.includes('não veio desta página')]).toEqual([403, true])
    expect(await count()).toBe(before)
  })

  test('the sender is what the browser says, by the first header that it has', () => {
    const publicUrl = 'https://pay.example.com'
    const judge = (headers: Record<string, string>) => isSameOrigin({ host: 'internal:3000', ...headers }, publicUrl)
    expect(judge({ 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(judge({ 'sec-fetch-site': 'cross-site', origin: publicUrl })).toBe(false)
    expect(judge({ origin: 'http://internal:3000' })).toBe(true)
    expect(judge({ origin: publicUrl })).toBe(true)
    expect(judge({ origin: 'https://pay.example.com.evil.example' })).toBe(false)
    expect(judge({ origin: 'null' })).toBe(false)
    expect(judge({})).toBe(false)
  })
})

describe('what is no form', () => {
  test('413, 415 and 400 are pages too', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const send = (type: string, body: string) =>
      fetch(`${app.url}/pay/${hash}`, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
    const form = 'application/x-www-form-urlencoded'
    for (const [expected, type, body] of [
      [413, form, `name=${'a'.repeat(20_000)}`],
      [415, 'text/plain', 'method=pix'],
      [400, form, `installments=${'9'.repeat(50)}`],
      [400, form, 'method=pix&name=%00'],
    ] as const) {
      const response = await send(type, body)
      expect([type, response.status]).toEqual([type, expected])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toContain('<main')
    }
  })

  test('405: other methods', async () => {
    const response = await fetch(`${app.url}/pay/${hash}`, { method: 'DELETE' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

test('429: too many requests are a page with the time to wait', async () => {
  const limited = await startTestApp({ RATE_LIMIT_TIGHT_PER_MINUTE: '3' })
  const statuses: number[] = []
  for (let times = 0; times < 5; times += 1) {
    const page = await openPage(limited, '/pay/unknown')
    statuses.push(page.status)
    if (page.status === 429) {
      expect(page.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(page.text).toContain('Muitas tentativas')
    }
  }
  expect(statuses).toContain(429)
  await limited.close()
})

test('no card is offered where its numbers would have to come here', async () => {
  const { checkout, publicLinks } = app.services
  const { hash: withCard } = await createLink(app, seller, { methods: ['pix', 'credit_card'] })
  const { createCheckoutService } = await import('../../src/checkout/checkout.service.ts')
  const bare = createCheckoutService({
    publicLinks,
    cardFieldsUrl: () => undefined,
    isTest: false,
    clock: app.clock,
  })
  const visit = { hash: withCard, language: 'pt' as const, network: '127.0.0.1', session: undefined }
  expect(checkout.write(await checkout.open(visit))).toContain('value="credit_card"')
  const written = bare.write(await bare.open(visit))
  expect([written.includes('value="credit_card"'), written.includes('Conexão segura')]).toEqual([false, true])
})
