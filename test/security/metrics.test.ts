import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

const TOKEN = 'a-token-that-only-prometheus-knows-0123456789'
const apps: TestApp[] = []

const start = async (environment: Record<string, string>): Promise<TestApp> => {
  const app = await startTestApp({ METRICS_TOKEN: '', ...environment })
  apps.push(app)
  return app
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

test('404: without a token in the configuration nobody reads the metrics on the port of the API', async () => {
  const { api } = await start({})
  const nowhere = await api.get('/no/such/route')
  for (const token of [undefined, '', 'guess', 'undefined']) {
    const answer = await api.get('/metrics', { token })
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([404, 'route.not_found', nowhere.body.detail])
  }
})

test('404: with a token in the configuration, whoever does not have it learns of no metrics', async () => {
  const { api } = await start({ METRICS_TOKEN: TOKEN })
  for (const token of [undefined, 'guess', `${TOKEN}x`, TOKEN.slice(1)]) {
    const answer = await api.get('/metrics', { token })
    expect([answer.status, answer.body.code]).toEqual([404, 'route.not_found'])
  }
  expect((await api.get('/metrics', { headers: { authorization: `Basic ${TOKEN}` } })).status).toBe(404)
})

test('200: with the token they are read on the port of the API, and no cache keeps them', async () => {
  const { api } = await start({ METRICS_TOKEN: TOKEN })
  const { status, text, headers } = await api.get('/metrics', { token: TOKEN })
  expect(status).toBe(200)
  expect(text).toContain('database_pool_connections')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('200: a port of their own answers metrics and health without a token, and nothing of the API', async () => {
  const port = await freePort()
  const { api } = await start({ METRICS_PORT: String(port) })
  const own = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect(await (await own('/metrics')).text()).toContain('database_pool_connections')
  expect(await (await own('/health/ready')).json()).toEqual({ status: 'ok' })
  expect((await own('/health/live')).status).toBe(200)
  expect((await own('/api/v1/status')).status).toBe(404)
  expect((await api.get('/metrics')).status).toBe(404)
})

test('many scrapers at once cost one collection', async () => {
  const { api } = await start({ METRICS_TOKEN: TOKEN })
  const scrapes = Array.from({ length: 15 }, () => api.get('/metrics', { token: TOKEN }))
  const texts = (await Promise.all(scrapes)).map(({ text }) => text)
  // The time that the process has used, among others, differs between any two collections; a second may end meanwhile.
  expect(new Set(texts).size).toBeLessThanOrEqual(2)
})
