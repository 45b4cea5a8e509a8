import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { sendBytes, startHttpServer } from '../support/http-server.ts'

let database: TestDatabase
let server: Awaited<ReturnType<typeof startHttpServer>>

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startHttpServer({
    databaseUrl: database.url,
    plant: (app) => {
      app.post('/echo', { config: { access: 'public' } }, async () => ({}))
      app.get('/things/:id', { config: { access: 'public' } }, async () => ({}))
    },
  })
})

afterAll(async () => {
  await server.close()
  await database.drop()
})

const problemOf = (answer: string) => ({
  status: Number(answer.split(' ')[1]),
  head: answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase(),
  body: JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Record<string, unknown>,
})

const HOST = 'host: localhost\r\nconnection: close\r\n'

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'server.bad_request'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nhost\r\n\r\n', 400, 'server.bad_request'],
  [
    'both lengths of a body',
    `POST /echo HTTP/1.1\r\n${HOST}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'server.bad_request',
  ],
  [
    'an unknown transfer coding',
    `POST /echo HTTP/1.1\r\n${HOST}transfer-encoding: chunked, identity\r\n\r\n`,
    400,
    'server.bad_request',
  ],
  [
    'a chunk without a size',
    `POST /echo HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    400,
    'server.bad_request',
  ],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\n${HOST}x-large: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'server.headers_too_large',
  ],
  [
    'an address that is too long',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    431,
    'server.headers_too_large',
  ],
  ['an address that does not decode', `GET /things/%zz HTTP/1.1\r\n${HOST}\r\n`, 400, 'server.bad_request'],
  ['an address that decodes to no text', `GET /things/%ff HTTP/1.1\r\n${HOST}\r\n`, 400, 'server.bad_request'],
  [
    'an expectation that nobody knows',
    `POST /echo HTTP/1.1\r\n${HOST}expect: money\r\n\r\n`,
    417,
    'server.expectation_failed',
  ],
  [
    'an identifier that is too long',
    `GET /things/${'a'.repeat(201)} HTTP/1.1\r\n${HOST}\r\n`,
    400,
    'server.bad_request',
  ],
])('%s is answered with a problem', async (_what, bytes, status, code) => {
  const answer = problemOf(await sendBytes(server.url, bytes))
  expect(answer.status).toBe(status)
  expect(answer.head).toContain('content-type: application/problem+json')
  expect(answer.body).toMatchObject({ type: `/errors/${code}`, code, status, requestId: expect.any(String) })
  expect(answer.head).toContain(`x-request-id: ${answer.body.requestId}`)
})

test('200: Expect: 100-continue is granted', async () => {
  const head = `POST /echo HTTP/1.1\r\n${HOST}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`
  const answer = await sendBytes(server.url, head)
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
})

test('405: a method that no route has is answered with those that the path has', async () => {
  const answer = problemOf(await sendBytes(server.url, `PROPFIND /echo HTTP/1.1\r\n${HOST}\r\n`))
  expect(answer.status).toBe(405)
  expect(answer.head).toContain('allow: post')
})
