import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

let database: TestDatabase
let server: Awaited<ReturnType<typeof startHttpServer>>

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startHttpServer({
    databaseUrl: database.url,
    environment: { CORS_ORIGINS: 'https://shop.example' },
    plant: (app) => {
      app.get('/things/:id', { config: { access: 'public' } }, async () => ({ ok: true }))
      app.delete('/things/:id', { config: { access: 'public' } }, async () => ({ ok: true }))
      app.get('/mine', { config: { access: ['seller:viewer'], scope: 'payments:read' } }, async () => ({ ok: true }))
      app.get('/theirs', { config: { access: ['admin:viewer'] } }, async () => ({ ok: true }))
      app.get('/broken', { config: { access: 'public' } }, async () => {
        throw new Error('a secret of the inside')
      })
    },
  })
})

afterAll(async () => {
  await server.close()
  await database.drop()
})

test('404: an unknown path is the same for everybody, with or without a token', async () => {
  for (const token of [undefined, server.token, 'nonsense']) {
    const answer = await server.api.get('/api/v1/nothing', { token })
    expect(answer.status).toBe(404)
    expect(answer.body.code).toBe('route.not_found')
  }
})

test('405: a known path with another method says which it has', async () => {
  const answer = await server.api.put('/things/1', { body: {} })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD')
  expect(answer.body.code).toBe('route.method_not_allowed')
})

const OTHER_METHODS = ['QUERY', 'PATCH', 'PROPFIND', 'SEARCH', 'LOCK', 'PURGE', 'REPORT']

test.each(OTHER_METHODS)('405: %s is answered so whatever its body is, and changes nothing', async (method) => {
  const bodies = [
    ['application/json', '{"broken"'],
    ['application/sql', 'select 1'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['application/json', JSON.stringify({ text: 'a'.repeat(300_000) })],
  ]
  for (const [type = '', body = ''] of bodies) {
    const response = await fetch(`${server.url}/things/1?a=b`, { method, body, headers: { 'content-type': type } })
    expect([type, response.status, response.headers.get('allow')]).toEqual([type, 405, 'DELETE, GET, HEAD'])
    expect(await response.json()).toMatchObject({ code: 'route.method_not_allowed' })
  }
  expect((await fetch(`${server.url}/things/1`, { method })).status).toBe(405)
})

test('404: another method on an unknown path is no more than that', async () => {
  const response = await fetch(`${server.url}/nothing`, {
    method: 'QUERY',
    body: '{',
    headers: { 'content-type': 'text/csv' },
  })
  expect(response.status).toBe(404)
})

test('200: HEAD answers as GET does, without a body', async () => {
  const response = await fetch(`${server.url}/things/1`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test('401: every refusal of a token has the five fields of an unauthorized error and a challenge', async () => {
  const missing = await server.api.get('/mine')
  expect(missing.status).toBe(401)
  expect(Object.keys(missing.body).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title'])
  expect(missing.headers.get('www-authenticate')).toBe('Bearer')
  const invalid = await server.api.get('/mine', { token: 'nonsense' })
  expect(invalid.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', '']) {
    const answer = await server.api.get('/mine', { headers: { authorization } })
    expect(answer.status).toBe(401)
  }
})

test('403: a valid token of the wrong role is refused', async () => {
  const answer = await server.api.get('/theirs', { token: server.token })
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({ type: '/errors/auth.forbidden', code: 'auth.forbidden' })
})

test('500: an unexpected error says nothing of the inside', async () => {
  const answer = await server.api.get('/broken')
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('secret')
  expect(answer.body.code).toBe('server.internal')
})

test('a well-formed X-Request-Id is returned, another is replaced', async () => {
  const given = await server.api.get('/things/1', { headers: { 'x-request-id': 'order-77.retry_1' } })
  expect(given.headers.get('x-request-id')).toBe('order-77.retry_1')
  for (const bad of ['has space', 'x'.repeat(65), '<b>']) {
    const replaced = await server.api.get('/things/1', { headers: { 'x-request-id': bad } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('204: a preflight of an allowed origin is answered, another origin gets no permission', async () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/mine`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } })
  const allowed = await preflight('https://shop.example')
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
})

test('302: the root leads to the documentation', async () => {
  const answer = await server.api.get('/')
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('/docs/')
})

test('200: the documentation loads nothing from elsewhere', async () => {
  const page = await server.api.get('/docs/')
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/)
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//)
  const script = await server.api.get('/docs/js/scalar.js')
  expect(script.status).toBe(200)
  expect(script.headers.get('content-type')).toContain('javascript')
})

test('200: a code of an error has a page, which the type of a refusal names', async () => {
  const refusal = await server.api.get('/api/v1/nothing')
  const page = await server.api.get(refusal.body.type)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('route.not_found')
})

test('404: an unknown code has no page', async () => {
  expect((await server.api.get('/errors/no.such_code')).status).toBe(404)
  expect((await server.api.get('/errors/%3Cscript%3E')).status).toBe(404)
})

test.each([
  ['access', { access: undefined }, 'no access'],
  ['roles that exist', { access: ['seller'] }, 'unknown role'],
  ['a scope where sellers may call', { access: ['seller:viewer'] }, 'no scope'],
])('a route without %s stops the boot', async (_what, config, fault) => {
  const start = startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.get('/undeclared', { config: config as never }, async () => ({}))
    },
  })
  await expect(start).rejects.toThrow(`GET /undeclared: ${fault}`)
})
