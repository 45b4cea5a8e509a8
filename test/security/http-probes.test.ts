import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { sendBytes } from '../support/http-server.ts'
import { createLink, postLinkPayment } from '../support/payment-links.ts'
import { sellingSeller } from '../support/payments.ts'

// What scanners of the web try on every server that they find.
const PUBLIC_URL = 'https://pay.example.com'
let app: TestApp
let seller: Seller
let hash: string
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL })
  seller = await sellingSeller(app)
  hash = (await createLink(app, seller)).hash
})
afterAll(() => app.close())

const authorization = () => ({ authorization: `Bearer ${seller.token}` })

/** Paths as they are, which `fetch` would tidy up first. */
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    rawRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
      .on('error', reject)
      .end()
  })

test('every answer, page, list, file or refusal, keeps browsers from running, framing, guessing and passing on', async () => {
  const paths = [
    '/',
    '/docs/',
    '/openapi.json',
    '/health/live',
    '/favicon.ico',
    '/errors/auth.forbidden',
    `/pay/${hash}`,
  ]
  const api = ['/api/v1/status', '/api/v1/payments', '/api/v1/nothing', '/api/v1/payments/x', '/api/v1/transactions']
  for (const path of [...paths, ...api, '/pay/nothing', '/nothing', '/docs/js/scalar.js']) {
    const { headers } = await raw(path, authorization())
    const policy = String(headers['content-security-policy'])
    for (const directive of ["default-src 'none'", "base-uri 'none'", 'form-action ', "frame-ancestors 'none'"]) {
      expect([path, policy]).toEqual([path, expect.stringContaining(directive)])
    }
    // From elsewhere comes the frame of the provider's card fields alone.
    expect(policy.replace(/frame-src [^;* ]+;/, '')).not.toMatch(/script-src[^;]*'unsafe|\*|https?:\/\//)
    expect([path, headers]).toMatchObject([
      path,
      {
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin|strict-origin|origin)/),
      },
    ])
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin']) {
      expect([path, name, headers[name]]).toEqual([path, name, undefined])
    }
    if (headers['content-type'] !== undefined)
      expect(headers['content-type']).toMatch(/charset=utf-8|image\/|javascript/)
  }
})

test('what one caller may see is kept by no cache', async () => {
  for (const path of ['balance', 'payments', 'transactions', 'customers', `users/${seller.id}`, 'payments/x']) {
    const { headers } = await app.api.get(path, { token: seller.token })
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
  const { headers } = await app.api.get('transactions', { token: seller.token, headers: { accept: 'text/csv' } })
  expect(headers.get('cache-control')).toBe('no-store')
})

test('no path leads out of what is served, and nothing lies there that was not put there', async () => {
  const climbs = ['/docs/../../package.json', '/docs/%2e%2e/%2e%2e/package.json', '/docs/js/..%2f..%2fpackage.json']
  const assets = [
    '/pay/assets/../../config.ts',
    '/pay/assets/%2e%2e%2fcheckout.plugin.ts',
    '/pay/..%5c..%5cpackage.json',
  ]
  const left = ['/.git/config', '/.env', '/package.json', '/.well-known/../.env', '/node_modules/fastify/package.json']
  const known = ['/server-status', '/actuator/env', '/debug', '/metrics', '/phpinfo.php', '/wp-login.php', '/console/']
  const odd = ['/%00', '//etc/passwd', '/api/v1/payments/..%2f..%2fadmin%2fpayments', '/api/v1/%2e%2e/%2e%2e/.env']
  for (const path of [...climbs, ...assets, ...left, ...known, ...odd]) {
    const { status, text } = await raw(path)
    expect([path, status]).toEqual([path, expect.toBeOneOf([400, 401, 404])])
    expect([path, text]).toEqual([
      path,
      expect.not.stringMatching(/root:x:|"dependencies"|\[core\]|JWT_SECRET| {4}at /),
    ])
  }
})

test('TRACE and other methods are refused, say nothing of the request, and no header turns one into another', async () => {
  const trace = await sendBytes(
    app.url,
    'TRACE /api/v1/status HTTP/1.1\r\nhost: x\r\nx-secret: hunter2\r\nconnection: close\r\n\r\n',
  )
  expect(trace).toMatch(/^HTTP\/1\.1 (404|405|400)/)
  expect(trace).not.toContain('hunter2')
  const connect = await raw('/api/v1/status', {}, 'DELETE')
  expect([connect.status, connect.headers.allow]).toEqual([405, expect.stringContaining('GET')])
  const customer = (await app.api.post('customers', { token: seller.token, body: { name: 'Maria' } })).body
  for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
    await app.api.post(`customers?_method=DELETE`, {
      token: seller.token,
      headers: { [name]: 'DELETE' },
      body: { name: 'J' },
    })
    const got = await app.api.get(`customers/${customer.id}`, { token: seller.token, headers: { [name]: 'DELETE' } })
    expect([got.status, got.body.deletedAt]).toEqual([200, null])
  }
})

test('no header decides where links, redirects and resources are, or who calls', async () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-original-url': '/api/v1/admin/payments',
  }
  const link = await app.api.post('payment-links', {
    token: seller.token,
    body: { title: 'Camiseta', amount: 100 },
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
  })
  expect(link.body.url).toMatch(/^https:\/\/pay\.example\.com\/pay\//)
  for (const path of ['/', '/docs', '/api/v1/payments?perPage=1', `/pay/${hash}`, '/openapi.json']) {
    const { headers, text } = await raw(path, {
      ...forged,
      ...authorization(),
      'x-rewrite-url': '/api/v1/admin/payments',
    })
    expect([path, JSON.stringify(headers)]).toEqual([path, expect.not.stringContaining('evil')])
    expect([path, text.includes('evil')]).toEqual([path, false])
  }
  for (const name of ['x-forwarded-for', 'x-real-ip', 'x-user-id', 'x-original-url', 'x-rewrite-url']) {
    expect((await raw('/api/v1/balance', { [name]: '127.0.0.1' })).status).toBe(401)
  }
})

test('no origin but the configured gets a permission, and none with credentials', async () => {
  for (const origin of ['https://evil.example', 'null', 'https://pay.example.com.evil.example', 'http://localhost']) {
    for (const method of ['GET', 'OPTIONS']) {
      const asks = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      }
      const { headers } = await raw('/api/v1/status', asks, method)
      const granted = Object.keys(headers).filter((name) => /^access-control-allow-(origin|credentials)$/.test(name))
      expect([origin, method, granted]).toEqual([origin, method, []])
    }
  }
})

test('nothing redirects to another host because a request says so', async () => {
  const paths = [
    '//evil.example',
    '//evil.example/..',
    '/\\evil.example',
    '/docs//evil.example',
    '/https://evil.example',
  ]
  const queries = ['next', 'url', 'redirect', 'returnTo', 'successUrl', 'again'].map(
    (name) => `?${name}=https://evil.example`,
  )
  const pages = queries.flatMap((query) => [`/${query}`, `/docs${query}`, `/pay/${hash}${query}`])
  for (const path of [...paths, ...pages]) {
    const { headers } = await raw(path)
    expect([path, String(headers.location ?? '')]).toEqual([path, expect.not.stringMatching(/evil|^\/\/|^https?:/)])
  }
})

test('what a request says never stands in an answer as markup or as a header of its own', async () => {
  const script = encodeURIComponent('<script>alert(1)</script>')
  for (const path of [
    `/errors/${script}`,
    `/pay/${script}`,
    `/pay/${hash}?again=${script}&method=${script}`,
    `/${script}`,
  ]) {
    const { text, headers } = await raw(path)
    if (String(headers['content-type']).includes('html'))
      expect([path, text]).toEqual([path, expect.not.stringContaining('<script>alert')])
    else expect(headers['x-content-type-options']).toBe('nosniff')
  }
  for (const path of [
    '/api/v1/status?a=%0d%0aset-cookie:%20x=1',
    '/errors/%0d%0aset-cookie:%20x=1',
    '/%0d%0ax-evil:%201',
  ]) {
    const { headers } = await raw(path)
    expect([headers['set-cookie'], headers['x-evil']]).toEqual([undefined, undefined])
  }
  const { headers } = await raw('/api/v1/status', { 'x-request-id': 'a'.repeat(65) })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('cookies are sent over TLS alone, to this host alone, and their names say so', async () => {
  const login = await app.api.post('auth/login', { body: { email: seller.email, password: seller.password } })
  const page = await raw(`/pay/${hash}`)
  for (const cookie of [login.headers.get('set-cookie') ?? '', String(page.headers['set-cookie'] ?? '')].filter(
    Boolean,
  )) {
    expect(cookie).toMatch(/^__Host-/)
    for (const attribute of ['; HttpOnly', '; Secure', '; SameSite=', '; Path=/;', 'Max-Age='])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Domain=')
  }
  expect(login.headers.get('set-cookie')).toMatch(/^__Host-device=/)
})

test('201: a payer’s text that is code for a template, a shell or a database is text', async () => {
  for (const name of [
    "'; drop table payments; --",
    '{{913*917}}<%= 913*917 %>#{913*917}',
    '$(id)`id`|id',
    '../../etc/passwd',
  ]) {
    const link = await createLink(app, seller, { title: name })
    const page = await raw(`/pay/${link.hash}`)
    expect([name, page.status, page.text.includes('837221')]).toEqual([name, 200, false])
    const { status } = await postLinkPayment(app, link, { customer: { name } })
    expect(status).toBe(201)
    const { body } = await app.api.get(`payments?search=${encodeURIComponent(name)}`, { token: seller.token })
    expect(body.data.map(({ customer }: { customer: { name: string } }) => customer.name)).toEqual([name])
  }
})

test('what a payer wrote is no formula in the file that a seller opens in a spreadsheet', async () => {
  const link = await createLink(app, seller)
  const names = ['=HYPERLINK("https://evil.example")', '＝1+1|cmd', '@SUM(1)', '+55', '-2+3']
  for (const name of names) expect((await postLinkPayment(app, link, { customer: { name } })).status).toBe(201)
  const { text } = await raw('/api/v1/payments', { ...authorization(), accept: 'text/csv' })
  for (const name of names) expect(text).toContain(`'${name.replaceAll('"', '""')}`)
  expect(text).not.toMatch(/(^|[,;"\n])[=＝@+]/)
})
