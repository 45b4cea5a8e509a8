import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { freePort, haproxyIsThere, startHaproxy } from './haproxy.ts'
import { outcomes, startLoad } from './load.ts'
import { openPlatform, type Platform, paymentsOf } from './platform.ts'

const RESTARTS = 4

test('a balancer is there where it is mandatory', () => {
  if (!haproxyIsThere) process.stdout.write('\n!! No haproxy here: NO RESTART IS TRIED BEHIND A BALANCER.\n\n')
  expect(process.env.HAPROXY_TESTS === 'required' && !haproxyIsThere).toBe(false)
})

describe.runIf(haproxyIsThere)('behind a balancer', () => {
  let database: TestDatabase
  let platform: Platform
  let balancer: Awaited<ReturnType<typeof startHaproxy>>
  const processes = new Map<number, ServerProcess>()

  const startOn = async (port: number): Promise<void> => {
    const environment = { PORT: String(port), SANDBOX_CARD_FIELDS_PORT: '0', SHUTDOWN_GRACE_SECONDS: '3' }
    processes.set(port, await platform.start(environment))
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    platform = await openPlatform(database.url)
    for (const port of [await freePort(), await freePort()]) await startOn(port)
    balancer = await startHaproxy([...processes.keys()])
  }, 120_000)

  afterAll(async () => {
    await balancer?.stop()
    await platform?.close()
    await database?.drop()
  })

  test('four restarts under load, one process after the other, and no request fails', {
    timeout: 180_000,
  }, async () => {
    const load = startLoad({ urls: [balancer.url], token: platform.seller.token, callers: 5, pauseMs: 20 })
    await until('payments are made', () => load.attempts.length > 100)
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const port = [...processes.keys()][restart % processes.size] ?? 0
      const before = load.attempts.length
      expect(await processes.get(port)?.stop('SIGTERM')).toBe(0)
      expect(load.attempts.length).toBeGreaterThan(before)
      await startOn(port)
      await until('the balancer has found it again', async () => (await balancer.up()).length === processes.size)
    }
    const attempts = await load.stop()
    const failed = attempts.filter(({ status }) => status !== 201)
    expect(outcomes(attempts), JSON.stringify(failed.slice(0, 3))).toEqual({ 201: attempts.length })
    const payments = await paymentsOf(platform)
    expect(attempts.filter(({ body }) => !payments.has(JSON.parse(body).id))).toEqual([])
  })
})
