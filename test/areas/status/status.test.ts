import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { readMetrics } from '../../support/metrics.ts'

let app: TestApp

beforeEach(async () => {
  app = await startTestApp()
})

afterEach(async () => {
  await app.close()
})

test('200: the status names every component, and a missing worker makes it degraded', async () => {
  const before = await app.api.get('status')
  expect(before.body).toEqual({
    status: 'degraded',
    environment: 'sandbox',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    warnings: [],
    components: {
      database: 'ok',
      worker: 'down',
      provider: 'ok',
      ledger: 'ok',
      reconciliation: 'ok',
      mail: 'ok',
      clock: 'ok',
    },
  })
  await app.services.workerHeartbeats.beat(app.services.newId(), new Date())
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

test('200: a process whose own clock is ten minutes off says so, in the metrics too', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  try {
    const { status, components } = (await app.api.get('status')).body
    expect([status, components.clock]).toEqual(['degraded', 'degraded'])
    const [, seconds] = /^process_clock_skew_seconds (\S+)$/m.exec(await readMetrics(app)) ?? []
    expect(Math.abs(Number(seconds) - 600)).toBeLessThan(10)
  } finally {
    vi.useRealTimers()
  }
})
