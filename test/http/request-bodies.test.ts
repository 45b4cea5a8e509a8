import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { idempotencyHeaders, idempotencyOf } from '../../src/http/plugins/idempotency.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

let database: TestDatabase
let server: Awaited<ReturnType<typeof startHttpServer>>

const thing = z.strictObject({
  name: z.string().max(10),
  amount: z.number().int().min(1).optional(),
  when: z.union([z.iso.datetime(), z.iso.date()]).optional(),
})

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      const config = { access: 'public' } as const
      const schema = { body: thing, querystring: z.object({ page: z.coerce.number().int().optional() }) }
      app.post('/things', { config, schema }, async ({ body }) => ({ body }))
      app.post(
        '/things/:id',
        { config, schema: { ...schema, params: z.strictObject({ id: z.uuid() }) } },
        async () => ({}),
      )
      app.post('/bodiless', { config, schema: {} }, async ({ body }) => ({ body: body ?? null }))
      app.post('/anything', { config, schema: {} }, async () => ({}))
      app.post('/keyed', { config, schema: { headers: idempotencyHeaders } }, async (request) => ({
        key: idempotencyOf(request, 'owner')?.key ?? null,
        agent: request.headers['user-agent'],
      }))
      app.post('/unkeyed', { config, schema: {} }, async (request) => ({ key: idempotencyOf(request, 'owner')?.key }))
    },
  })
})

afterAll(async () => {
  await server.close()
  await database.drop()
})

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  server.api.post(path, { body, headers })

test('400: malformed JSON is answered with the place and never with the content', async () => {
  const answer = await post('/things', '{\n  "password": "hunter2" oops }')
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(answer.body).toEqual({
    type: '/errors/validation.failed',
    title: 'Bad Request',
    status: 400,
    detail: expect.any(String),
    code: 'validation.failed',
    requestId: answer.headers.get('x-request-id'),
    errors: [
      { in: 'body', path: '', code: 'invalid_json', message: 'The body is not JSON from line 2, column 25 on.' },
    ],
  })
  expect(answer.text).not.toContain('hunter2')
})

test('400: a body that ends too early is told so', async () => {
  const { body } = await post('/things', '{"name": "a"')
  expect(body.errors[0].code).toBe('invalid_json')
})

test('400: a body that is not UTF-8 is refused', async () => {
  const response = await fetch(`${server.url}/things`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from([0x22, 0xff, 0x22]),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: [{ message: 'The body must be UTF-8.' }] })
})

test('200: a byte order mark before the body is no fault', async () => {
  expect((await post('/things', '\uFEFF{"name": "a"}')).status).toBe(200)
})

test('400: an empty body with a content type is a missing body', async () => {
  const answer = await post('/things', '')
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toEqual([{ in: 'body', path: '', code: 'required', message: 'This field is required.' }])
})

test('200: an operation without a body takes an empty one with a content type', async () => {
  const answer = await post('/bodiless', '')
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ body: null })
})

test.each(['/things', '/bodiless'])('400: null is no body of %s', async (path) => {
  const { status, body } = await post(path, 'null')
  expect([status, body.errors]).toMatchObject([400, [{ in: 'body', path: '', code: 'invalid_type' }]])
})

test('400: the faults of all parts come at once', async () => {
  const answer = await post('/things/7?page=x', '{"amount": 0.5, "surname": "x"}')
  expect(answer.status).toBe(400)
  const places = answer.body.errors.map((fault: { in: string; path: string; code: string }) => [
    fault.in,
    fault.path,
    fault.code,
  ])
  expect(places).toEqual([
    ['params', 'id', 'invalid_format'],
    ['body', 'name', 'required'],
    ['body', 'amount', 'invalid_type'],
    ['body', 'surname', 'unknown_field'],
    ['query', 'page', 'invalid_type'],
  ])
})

test('400: a value that fits no alternative names the rule of the closest one', async () => {
  const { body } = await post('/things', '{"name": "a", "when": "yesterday"}')
  expect(body.errors[0]).toMatchObject({ path: 'when', code: 'invalid_format' })
})

test.each([
  ['a NUL character', '{"name": "a\\u0000"}', 'name', 'invalid_text'],
  ['a lone surrogate', '{"name": "a\\ud800"}', 'name', 'invalid_text'],
  ['a card number', '{"name": "4111 1111 1111 1111"}', 'name', 'card_number'],
  ['a card number as a number', '{"amount": 4111111111111111}', 'amount', 'card_number'],
  ['a __proto__ key', '{"name": {"__proto__": {"admin": true}}}', 'name.__proto__', 'forbidden_key'],
  ['an integer that doubles cannot hold', '{"name": "a", "amount": 9007199254740993}', 'amount', 'too_big'],
])('400: %s is refused by its place', async (_what, body, path, code) => {
  const answer = await post('/things', body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ in: 'body', path, code }))
})

test('400: nesting without end is refused, also where no schema looks', async () => {
  const depth = 100_000
  const answer = await post('/anything', `${'['.repeat(depth)}${']'.repeat(depth)}`)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0].code).toBe('too_deep')
})

test('400: a query field that is given twice is refused where one is expected', async () => {
  const answer = await post('/things?page=1&page=2', '{"name": "a"}')
  expect(answer.body.errors).toEqual([expect.objectContaining({ in: 'query', path: 'page' })])
})

test('400: broken text in the query is refused', async () => {
  const answer = await post('/bodiless?search=%00', '')
  expect(answer.body.errors[0]).toMatchObject({ in: 'query', path: 'search', code: 'invalid_text' })
})

test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/merge-patch+json'])(
  '415: a body of type %s is refused',
  async (type) => {
    const answer = await post('/things', '{"name": "a"}', { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(answer.body.code).toBe('server.unsupported_media_type')
  },
)

const THING = Buffer.from('{"name": "a"}')

test.each([
  ['gzip', gzipSync(THING)],
  ['br', brotliCompressSync(THING)],
  ['deflate', deflateSync(THING)],
  ['GZIP, identity', gzipSync(THING)],
  ['zstd', THING],
])('415: a body with Content-Encoding: %s is refused, and the answer says what is taken', async (encoding, body) => {
  for (const path of ['/things', '/bodiless']) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: new Uint8Array(body), headers })
    expect([path, response.status, response.headers.get('accept-encoding')]).toEqual([path, 415, 'identity'])
    expect(await response.json()).toMatchObject({
      code: 'server.unsupported_media_type',
      detail: expect.stringContaining('Content-Encoding'),
    })
  }
})

test('200: a body that is said to be encoded by nothing is taken, and so is none', async () => {
  expect((await post('/things', '{"name": "a"}', { 'content-encoding': 'identity' })).status).toBe(200)
  expect((await post('/bodiless', '', { 'content-encoding': 'gzip' })).status).toBe(200)
})

test('415: a refusal of the content type names no encodings', async () => {
  const answer = await post('/things', 'a', { 'content-type': 'text/plain' })
  expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, null])
})

test('200: the content type may name its character set', async () => {
  expect((await post('/things', '{"name": "a"}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
    200,
  )
})

test('413: a body that is too large is refused', async () => {
  const answer = await post('/things', JSON.stringify({ name: 'a'.repeat(300_000) }))
  expect(answer.status).toBe(413)
  expect(answer.body).toMatchObject({ code: 'server.payload_too_large', title: 'Content Too Large' })
})

test('200: a declared Idempotency-Key leaves the other headers in place', async () => {
  const { body } = await post('/keyed', '', { 'idempotency-key': 'order-77', 'user-agent': 'shop/1' })
  expect(body).toEqual({ key: 'order-77', agent: 'shop/1' })
})

test.each(['/keyed', '/unkeyed'])('400: an Idempotency-Key that is none is refused on %s', async (path) => {
  for (const key of ['a b', 'x'.repeat(256)]) {
    const answer = await post(path, '', { 'idempotency-key': key })
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatchObject({ in: 'headers', path: 'idempotency-key' })
  }
})
