import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageQuery } from '../../src/http/list-query.schemas.ts'
import { variesBy } from '../../src/http/negotiation.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'

const LONG = 'lorem ipsum '.repeat(500)
const ORIGIN = 'https://shop.example'

let database: TestDatabase
let server: Awaited<ReturnType<typeof startHttpServer>>
let text = LONG

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startHttpServer({
    databaseUrl: database.url,
    environment: { CORS_ORIGINS: ORIGIN },
    plant: (app) => {
      const config = { access: 'public' as const }
      const querystring = pageQuery({})
      app.get('/list', { config, schema: { querystring } }, async () => ({ text }))
      app.get('/refused', { config: { ...config, large: true } }, async (_request, reply) =>
        reply.code(409).send({ text }),
      )
      app.get('/plain', { config }, async () => ({ text }))
      app.post('/list', { config }, async () => ({ text }))
      app.get('/chosen', { config: { ...config, large: true } }, async (_request, reply) =>
        variesBy(reply, 'accept', 'origin', 'accept').send({ text }),
      )
    },
  })
})

afterAll(async () => {
  await server.close()
  await database.drop()
})

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

describe('compression', () => {
  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ])('a list is compressed for who takes %s', async (encoding, decode) => {
    const { headers, rawPayload } = await get('/list', { 'accept-encoding': encoding })
    expect([headers['content-encoding'], JSON.parse(decode(rawPayload).toString())]).toEqual([encoding, { text }])
    expect(rawPayload.length).toBeLessThan(LONG.length / 10)
  })

  test('nobody gets an encoding that they did not ask for', async () => {
    for (const accept of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'deflate, gzip;q=0' }]) {
      const { headers, payload } = await get('/list', accept as Record<string, string>)
      expect([headers['content-encoding'], JSON.parse(payload)]).toEqual([undefined, { text }])
    }
  })

  test('a small list is sent as it is', async () => {
    text = 'short'
    const { headers, payload } = await get('/list', { 'accept-encoding': 'gzip' })
    text = LONG
    expect([headers['content-encoding'], JSON.parse(payload)]).toEqual([undefined, { text: 'short' }])
  })

  test('nothing else is compressed, nor named by a tag', async () => {
    const { headers } = await get('/plain', { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, undefined])
    const posted = await server.app.inject({ method: 'POST', url: '/list', headers: { 'if-none-match': '*' } })
    expect([posted.statusCode, posted.headers.etag, posted.json()]).toEqual([200, undefined, { text }])
  })
})

describe('ETag', () => {
  test('304: who has the answer already is not sent it again', async () => {
    const { etag = '' } = (await get('/list')).headers
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
    for (const tags of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const { statusCode, payload, headers } = await get('/list', { 'if-none-match': tags, 'accept-encoding': 'gzip' })
      expect([tags, statusCode, payload, headers.etag]).toEqual([tags, 304, '', etag])
      expect(Object.keys(headers).filter((name) => name.startsWith('content-'))).toEqual(['content-security-policy'])
      expect(headers['x-request-id']).toBeDefined()
    }
  })

  test('200: any change is another tag', async () => {
    const { etag = '' } = (await get('/list')).headers
    text = `${LONG}!`
    const { statusCode, headers, payload } = await get('/list', { 'if-none-match': etag })
    expect([statusCode, JSON.parse(payload)]).toEqual([200, { text }])
    expect(headers.etag).not.toBe(etag)
    text = LONG
  })

  test('304: a fetch of Node, which sends no-cache along, is answered like any other', async () => {
    const { etag = '' } = (await get('/list')).headers
    const answer = await fetch(`${server.url}/list`, { headers: { 'if-none-match': etag } })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
  })

  test('a refusal has no tag', async () => {
    const { statusCode, headers } = await get('/refused', { 'if-none-match': '*' })
    expect([statusCode, headers.etag]).toEqual([409, undefined])
  })

  test('a HEAD has the tag of its GET and no body', async () => {
    const { etag } = (await get('/list')).headers
    const head = await server.app.inject({ method: 'HEAD', url: '/list' })
    expect([head.statusCode, head.headers.etag, head.payload]).toEqual([200, etag, ''])
  })
})

test.each([
  ['/openapi.json', 'gzip'],
  ['/docs/js/scalar.js', 'gzip'],
  // Short, as all that it shows comes with the script and the document.
  ['/docs/', undefined],
])('%s is sent once, and compressed where it is large', async (url, encoding) => {
  const { headers } = await get(url, { 'accept-encoding': 'gzip' })
  expect([headers['content-encoding'], headers['cache-control']]).toEqual([encoding, 'no-cache'])
  const again = await get(url, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.payload]).toEqual([304, ''])
})

test('Vary names everything that an answer was chosen by, each once', async () => {
  const { headers } = await get('/chosen', { origin: ORIGIN, 'accept-encoding': 'gzip' })
  expect(String(headers.vary).toLowerCase().split(', ').sort()).toEqual(['accept', 'accept-encoding', 'origin'])
})
