import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEmbeddedPostgres, removeEmbeddedPostgres } from '../../src/db/embedded.ts'
import { pixEnvironment } from '../support/psp/pix-app.ts'
import { startTestPsp } from '../support/psp/simulator.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { type mainJob, payAtSandbox, type Walk } from './main-job.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const ADMIN_PASSWORD = 'a long administrator password'

/** Who moves the money of a walk. */
type Bank = { environment: Record<string, string>; payPix: Walk['payPix']; close: () => Promise<void> }

const sandbox = async (): Promise<Bank> => ({ environment: {}, payPix: payAtSandbox, close: async () => undefined })

/** Real Pix at the simulated PSP. */
export const pixPsp = async (): Promise<Bank> => {
  const psp = await startTestPsp()
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '1000.00' })
  const payPix = async ({ api, paymentId, seller: { token } }: Walk): Promise<void> => {
    const { body } = await api.get(`payments/${paymentId}`, { token })
    await psp.control.pay({ txid: body.pix.txid })
  }
  return { environment: pixEnvironment(psp), payPix, close: psp.close }
}

/** A platform with its own data folder and so its own embedded Postgres, and a walk through it that has yet to begin. */
const prepare = async (openBank: () => Promise<Bank>) => {
  const bank = await openBank()
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-journey-'))
  const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'info', ...bank.environment }
  const receiver = await startWebhookReceiver()
  const walk: Walk = {
    api: undefined as never,
    receiver,
    dataDir,
    adminPassword: ADMIN_PASSWORD,
    seller: { email: 'maria@example.com', password: 'uma senha bem comprida', token: '' },
    admin: { token: '' },
    companyId: '',
    paymentId: '',
    withdrawalId: '',
    webhookSecret: '',
    payPix: bank.payPix,
  }
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer({ environment })
    walk.api = server.api
    return server
  }
  const remove = async () => {
    await receiver.close()
    await bank.close()
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
  return { dataDir, environment, walk, start, remove }
}

const proveBooks = async (environment: Record<string, string>): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/ledger-verify.ts')], {
    cwd: ROOT,
    env: { ...process.env, ...environment, LOG_LEVEL: 'silent' },
  })
  return stdout
}

type Stage = Awaited<ReturnType<typeof prepare>>
export type Scene = { stage: Stage; server: ServerProcess }

/** Describes a walk on a platform of its own: started before, proven and stopped after. */
export const describeWalk = (name: string, tests: (scene: Scene) => void, bank = sandbox) =>
  describe(name, () => {
    const scene = {} as Scene

    beforeAll(async () => {
      scene.stage = await prepare(bank)
      scene.server = await scene.stage.start()
    })

    afterAll(async () => {
      await scene.server.stop()
      await scene.stage.remove()
    })

    tests(scene)

    test('the books are proven', async () => {
      const databaseUrl = await findEmbeddedPostgres(scene.stage.dataDir)
      expect(await proveBooks({ ...scene.stage.environment, DATABASE_URL: databaseUrl ?? '' })).toContain('proven')
    })
  })

export const STEP_TIMEOUT_MS = 180_000

/** Every step of the main job, one after the other. */
export const walkOn = (scene: Scene, steps: typeof mainJob) => {
  for (const { name, run: step } of steps) test(name, () => step(scene.stage.walk), STEP_TIMEOUT_MS)
}
