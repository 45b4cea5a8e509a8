import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeEach(async () => {
  app = await startTestApp()
})

afterEach(async () => {
  await app.close()
})

test('200: the process lives and is ready', async () => {
  expect((await app.api.get('/health/live')).status).toBe(200)
  expect((await app.api.get('/health/ready')).body).toEqual({ status: 'ok' })
})

test('503: a schema that lacks a migration of this version is not ready', async () => {
  await app.sql.query(
    'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)',
  )
  const answer = await app.api.get('/health/ready')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.body.code).toBe('server.unavailable')
})

test('200: the metrics hold durations by route, never by address, and the pool', async () => {
  await app.api.get('status')
  await app.api.get('/no/such/route')
  const { text, headers } = await app.api.get('/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/status",status="200"\} 1/)
  expect(text).toMatch(/route="unknown",status="404"\} 1/)
  expect(text).toContain('database_pool_connections{state="open"}')
  expect(text).toContain('process_resident_memory_bytes')
})

test('200: the status names every component, and a missing worker makes it degraded', async () => {
  const before = await app.api.get('status')
  expect(before.body).toEqual({
    status: 'degraded',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    components: { database: 'ok', worker: 'down', provider: 'ok', ledger: 'ok' },
  })
  await app.services.transact((tx) => tx.workerHeartbeats.beat(app.services.newId(), new Date()))
  expect((await app.api.get('status')).body).toMatchObject({ status: 'ok', components: { worker: 'ok' } })
})

test('200: a provider that did not answer makes the status degraded', async () => {
  app.services.providerHealth.noteFailure()
  expect((await app.api.get('status')).body.components.provider).toBe('degraded')
})

test("200: the status has the platform's time", async () => {
  app.clock.setOffsetMs(30 * 86_400_000)
  const { time } = (await app.api.get('status')).body
  expect(Date.parse(time) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})
