import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PACE, type RunningWorker, startWorker } from '../../src/jobs/loop.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
let child: ChildProcess | undefined
let worker: RunningWorker | undefined

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  if (child?.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await worker?.stop()
  await app.close()
})

const SCRIPT = join(import.meta.dirname, '..', 'support', 'worker-of-one-job.ts')

const LEASE_MS = 2_000

const leasedBy = async (): Promise<string | null> => {
  const { rows } = await app.sql.query<{ leased_by: string | null }>(
    "select leased_by from jobs where name = 'endless'",
  )
  return rows[0]?.leased_by ?? null
}

test('the job of a worker that was killed in the middle of it runs again once its silence is noticed', {
  timeout: 60_000,
}, async () => {
  const { databaseUrl = '', dataDir } = app.config
  child = spawn(process.execPath, [SCRIPT, String(LEASE_MS)], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('the worker has no output')
  await once(createInterface({ input: child.stdout }), 'line')
  const dead = await leasedBy()
  expect(dead).not.toBeNull()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await leasedBy()).toBe(dead)

  let runs = 0
  const endless = {
    runOnce: async () => {
      runs += 1
      return 0
    },
  }
  const warnings: { msg: string; job?: string; worker?: string }[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) })
  worker = await startWorker({ ...app.services, logger, jobs: { endless } })
  await expect.poll(() => runs, { timeout: LEASE_MS + 10_000 }).toBeGreaterThan(0)
  expect(warnings).toMatchObject([{ job: 'endless', worker: dead }])
  await expect.poll(leasedBy).toBeNull()
})

test('a killed worker is noticed within twenty seconds, and one that misses a beat keeps its jobs', () => {
  const { pollMs, beatEveryMs, leaseMs } = PACE
  expect(leaseMs + pollMs).toBeLessThan(20_000)
  expect(leaseMs).toBeGreaterThanOrEqual(3 * beatEveryMs)
})
