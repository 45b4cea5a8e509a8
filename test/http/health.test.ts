import { afterEach, beforeEach, expect, test } from 'vitest'
import { METRICS_TOKEN, startTestApp, type TestApp } from '../support/app.ts'

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
  await app.sql.query('delete from schema_migrations where name = (select max(name) from schema_migrations)')
  const answer = await app.api.get('/health/ready')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.body.code).toBe('server.unavailable')
})

test('200: the metrics hold durations by route, never by address, and the pool', async () => {
  await app.api.get('status')
  await app.api.get('/no/such/route')
  const { text, headers } = await app.api.get('/metrics', { token: METRICS_TOKEN })
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/status",status="200"\} 1/)
  expect(text).toMatch(/route="unknown",status="404"\} 1/)
  expect(text).toContain('database_pool_connections{state="open"}')
  expect(text).toContain('process_resident_memory_bytes')
})
