import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningWorker, startWorker } from '../../src/workers/start-worker.ts'
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

const lockedBy = async (): Promise<string | null> => {
  const { rows } = await app.sql.query<{ locked_by: string | null }>(
    "select locked_by from graphile_worker._private_job_queues where queue_name = 'endless'",
  )
  return rows[0]?.locked_by ?? null
}

test('the job of a worker that was killed in the middle of it runs again once its silence is noticed', {
  timeout: 60_000,
}, async () => {
  const { databaseUrl = '', dataDir } = app.config
  child = spawn(process.execPath, [SCRIPT], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('the worker has no output')
  await once(createInterface({ input: child.stdout }), 'line')
  const dead = await lockedBy()
  expect(dead).toMatch(/^pool-/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await lockedBy()).toBe(dead)

  let runs = 0
  const endless = {
    runOnce: async () => {
      runs += 1
      return 0
    },
  }
  const logger = pino({ level: 'silent' })
  const pulse = { beatEveryMs: 250, silentMs: 2_000 }
  worker = await startWorker({ ...app.services, logger, jobs: { endless }, pulse })
  await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThan(0)
  await expect.poll(lockedBy).toBeNull()
})
