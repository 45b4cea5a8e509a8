import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Job, type RunningWorker, startWorker } from '../../src/workers/start-worker.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
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

const QUICK = { beatEveryMs: 200, silentMs: 1_000 }

const start = async (jobs: Record<string, Job>): Promise<RunningWorker> => {
  const logger = pino({ level: 'silent' })
  const worker = await startWorker({ ...app.services, logger, jobs, pulse: QUICK })
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

test('what a failure says stays out of the queue’s table', async () => {
  await start({
    secretive: {
      runOnce: async () => {
        throw new Error('the key 52998224725')
      },
    },
  })
  const failures = async () => {
    const { rows } = await app.sql.query(
      "select last_error from graphile_worker.jobs where task_identifier = 'secretive'",
    )
    return rows[0]?.last_error ?? ''
  }
  await expect.poll(failures).toContain('secretive failed')
  expect(await failures()).not.toContain('52998224725')
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
  const { rows } = await app.sql.query(
    "select locked_by from graphile_worker.jobs where task_identifier = 'stuck' and locked_by is not null",
  )
  expect(rows).toStrictEqual([])
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
  // What waits already takes in what is asked again: only a job that runs has a second one come after it.
  await expect.poll(() => seen.runs, { timeout: 15_000 }).toBeGreaterThan(0)
  await app.services.jobQueries.insertNow('alone')
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
          app.services.jobQueries.insertNow('counting').then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true)
    await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThan(before)
  }
})

test('a worker says that it lives, and is overloaded when a job waits for long', async () => {
  const workerState = async () => (await app.api.get('status')).body.components.worker
  await start({})
  await expect.poll(workerState).toBe('ok')
  await app.services.jobQueries.insertNow('waits')
  await app.sql.query(
    "update graphile_worker._private_jobs set run_at = now() - interval '10 minutes' where key = 'waits'",
  )
  await expect.poll(workerState).toBe('degraded')
  const metrics = await app.api.get('/metrics')
  expect(metrics.text).toMatch(/^jobs_waiting\{job="waits"\} 1$/m)
  expect(metrics.text).toMatch(/^jobs_oldest_wait_seconds\{job="waits"\} 60\d/m)
  await app.sql.query("delete from graphile_worker._private_jobs where key = 'waits'")
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
