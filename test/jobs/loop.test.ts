import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type RunningWorker, startWorker } from '../../src/jobs/loop.ts'
import type { Job } from '../../src/jobs/runs.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { readMetrics } from '../support/metrics.ts'
import { configure, findings, requested, sellerWith } from '../support/withdrawals.ts'

let app: TestApp
const workers: RunningWorker[] = []

beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop()
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const QUICK = { pollMs: 50, beatEveryMs: 200, leaseMs: 1_000 }

const start = async (jobs: Record<string, Job>): Promise<RunningWorker> => {
  const logger = pino({ level: 'silent' })
  const worker = await startWorker({ ...app.services, logger, jobs, pace: QUICK })
  workers.push(worker)
  return worker
}

test('a worker drains its jobs, tries one that fails again, and waits for the batch in flight when it stops', async () => {
  const left = [3, 2, 1]
  const inFlight = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = { failures: 0, long: false }
  const worker = await start({
    drained: { runOnce: async () => left.pop() ?? 0 },
    failing: {
      runOnce: async () => {
        done.failures += 1
        throw new Error('not today')
      },
    },
    long: {
      runOnce: async () => {
        inFlight.resolve()
        await release.promise
        done.long = true
        return 0
      },
    },
  })
  await inFlight.promise
  await expect.poll(() => left.length).toBe(0)
  await expect.poll(() => done.failures, { timeout: 15_000 }).toBeGreaterThan(1)
  workers.pop()
  const stopped = worker.stop()
  release.resolve()
  await stopped
  expect(done.long).toBe(true)
})

test('what a failure says stays out of the jobs’ table', async () => {
  await start({
    secretive: {
      runOnce: async () => {
        throw new Error('the key 52998224725')
      },
    },
  })
  const row = async () => (await app.sql.query("select * from jobs where name = 'secretive'")).rows[0]
  await expect.poll(async () => (await row())?.failures).toBeGreaterThan(0)
  expect(JSON.stringify(await row())).not.toContain('52998224725')
})

test('each failure in a row doubles the wait, up to a minute, and a success ends that', async () => {
  const { jobsRepository } = app.services
  const lease = { holder: 'somebody', leaseMs: 60_000 }
  await jobsRepository.insertDue('flaky')
  const waits: number[] = []
  for (let failure = 1; failure <= 7; failure += 1) {
    await jobsRepository.hold(['flaky'], lease)
    await jobsRepository.fail('flaky', lease.holder)
    const { rows } = await app.sql.query(
      "select extract(epoch from next_run_at - last_failed_at)::int as wait from jobs where name = 'flaky'",
    )
    waits.push(rows[0].wait)
  }
  expect(waits).toStrictEqual([2, 4, 8, 16, 32, 60, 60])
  expect(await readMetrics(app)).toMatch(/^jobs_failing\{job="flaky"\} 1$/m)
  await jobsRepository.hold(['flaky'], lease)
  await jobsRepository.finish('flaky', lease.holder)
  expect(await readMetrics(app)).toMatch(/^jobs_failing\{job="flaky"\} 0$/m)
})

test('of ten workers that look at the same moment, each takes other jobs', async () => {
  const { jobsRepository } = app.services
  const names = Array.from({ length: 20 }, (_, index) => `contended ${index}`)
  for (const name of names) await jobsRepository.insertDue(name)
  const scheduled = names.map((name) => ({ name, everyMinutes: 1, fromMinute: 0 }))
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      jobsRepository.claim(scheduled, { holder: `worker ${index}`, leaseMs: 60_000 }, 4),
    ),
  )
  const taken = claims.flat().map(({ name }) => name)
  expect(taken.length).toBeGreaterThan(0)
  expect(new Set(taken).size).toBe(taken.length)
  expect(Math.max(...claims.map(({ length }) => length))).toBeLessThanOrEqual(4)
})

test('a worker that has lost a job begins no further batch of it, and ends nothing of whoever has it now', async () => {
  let batches = 0
  const worker = await start({
    lost: {
      runOnce: async () => {
        batches += 1
        await wait(5)
        return 1
      },
    },
  })
  await expect.poll(() => batches).toBeGreaterThan(0)
  await app.sql.query(
    "update jobs set leased_by = 'other', leased_until = now() + interval '1 hour' where name = 'lost'",
  )
  const isAtRest = async (): Promise<boolean> => {
    const before = batches
    await wait(QUICK.beatEveryMs)
    return batches === before
  }
  await expect.poll(isAtRest, { timeout: 10_000 }).toBe(true)
  workers.pop()
  await worker.stop()
  const { rows } = await app.sql.query("select leased_by, leased_until > now() as held from jobs where name = 'lost'")
  expect(rows).toStrictEqual([{ leased_by: 'other', held: true }])
})

test('a job that does not end keeps a worker from stopping for a few seconds only, and is free for others', async () => {
  const inFlight = Promise.withResolvers<void>()
  const worker = await start({
    stuck: {
      runOnce: () => {
        inFlight.resolve()
        return new Promise<number>(() => undefined)
      },
    },
  })
  await inFlight.promise
  workers.pop()
  const before = performance.now()
  await worker.stop()
  expect(performance.now() - before).toBeLessThan(8_000)
  const { rows } = await app.sql.query("select leased_by, next_run_at <= now() as due from jobs where name = 'stuck'")
  expect(rows).toStrictEqual([{ leased_by: null, due: true }])
})

test('a job never overlaps itself, however many workers there are and however long it takes', {
  timeout: 40_000,
}, async () => {
  const seen = { running: 0, most: 0, runs: 0 }
  const job: Job = {
    runOnce: async () => {
      seen.running += 1
      seen.runs += 1
      seen.most = Math.max(seen.most, seen.running)
      // Longer than a silent worker is waited for: these two are busy, not silent.
      await wait(1_500)
      seen.running -= 1
      return 0
    },
  }
  await start({ alone: job })
  await start({ alone: job })
  await expect.poll(() => seen.runs, { timeout: 15_000 }).toBeGreaterThan(0)
  await app.services.jobsRepository.insertDue('alone')
  await expect.poll(() => seen.runs, { timeout: 15_000 }).toBeGreaterThan(1)
  expect(seen.most).toBe(1)
})

test('a worker whose connections are cut goes on with its jobs', { timeout: 60_000 }, async () => {
  let runs = 0
  const counting: Job = {
    runOnce: async () => {
      runs += 1
      return 0
    },
  }
  await start({ counting })
  await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(0)
  for (let cut = 1; cut <= 3; cut += 1) {
    const before = runs
    const admin = new Client({ connectionString: app.config.databaseUrl })
    await admin.connect()
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await admin.end()
    await expect
      .poll(
        () =>
          app.services.jobsRepository.insertDue('counting').then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true)
    await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThan(before)
  }
})

test('a worker outlives a database that was away for longer than its leases', { timeout: 60_000 }, async () => {
  const seen = { running: 0, most: 0, runs: 0 }
  const inFlight = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await start({
    enduring: {
      runOnce: async () => {
        seen.running += 1
        seen.most = Math.max(seen.most, seen.running)
        seen.runs += 1
        inFlight.resolve()
        await release.promise
        seen.running -= 1
        return 0
      },
    },
  })
  await inFlight.promise
  const name = new URL(app.config.databaseUrl ?? '').pathname.slice(1)
  const admin = new Client({ connectionString: inject('postgresAdminUrl') })
  await admin.connect()
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await wait(QUICK.leaseMs * 2)
  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()
  release.resolve()
  const wanted = () =>
    app.services.jobsRepository.insertDue('enduring').then(
      () => true,
      () => false,
    )
  await expect.poll(wanted, { timeout: 10_000 }).toBe(true)
  await expect.poll(() => seen.runs, { timeout: 20_000 }).toBeGreaterThan(1)
  expect(seen.most).toBe(1)
})

test('a worker says that it lives, and is overloaded when a job waits for long', async () => {
  const workerState = async () => (await app.api.get('status')).body.components.worker
  await start({})
  await expect.poll(workerState).toBe('ok')
  await app.services.jobsRepository.insertDue('waits')
  await app.sql.query("update jobs set next_run_at = now() - interval '10 minutes' where name = 'waits'")
  await expect.poll(workerState).toBe('degraded')
  const metrics = await readMetrics(app)
  expect(metrics).toMatch(/^jobs_waiting\{job="waits"\} 1$/m)
  expect(metrics).toMatch(/^jobs_oldest_wait_seconds\{job="waits"\} 60\d/m)
  await app.sql.query("delete from jobs where name = 'waits'")
})

test('a job that is wanted while it runs runs once more', async () => {
  const first = Promise.withResolvers<void>()
  let runs = 0
  await start({
    payWithdrawals: {
      runOnce: async () => {
        runs += 1
        if (runs === 1) await first.promise
        return 0
      },
    },
  })
  await expect.poll(() => runs).toBe(1)
  await app.services.runSoon('payWithdrawals')
  first.resolve()
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(2)
})

test('an approved withdrawal is paid out at once, not with the next minute', async () => {
  const { payWithdrawals } = app.services.jobs
  const rounds = { count: 0 }
  await start({
    payWithdrawals: {
      runOnce: async () => {
        rounds.count += 1
        return payWithdrawals.runOnce()
      },
    },
  })
  await expect.poll(() => rounds.count).toBeGreaterThan(0)
  const seller = await sellerWith(app, 10_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 10_000 })
  const { id } = await requested(app, seller)
  const status = async () => (await app.api.get(`withdrawals/${id}`, { token: seller.token })).body.status
  await expect.poll(status, { timeout: 10_000 }).toBe('completed')
})
