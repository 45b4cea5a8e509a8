import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptFolders } from '../../src/db/embedded/place.ts'
import { findPostmaster } from '../../src/db/embedded/postmaster.ts'
import { findEmbeddedPostgres, removeEmbeddedPostgres } from '../../src/db/embedded.ts'
import { pixEnvironment } from '../support/psp/pix-app.ts'
import { startTestPsp } from '../support/psp/simulator.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { mainJob, payAtSandbox, type Walk } from './main-job.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const ADMIN_PASSWORD = 'a long administrator password'

/** Who moves the money of a walk. */
type Bank = { environment: Record<string, string>; payPix: Walk['payPix']; close: () => Promise<void> }

const sandbox = async (): Promise<Bank> => ({ environment: {}, payPix: payAtSandbox, close: async () => undefined })

const pixPsp = async (): Promise<Bank> => {
  const psp = await startTestPsp()
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '1000.00' })
  const payPix = async ({ paymentId }: Walk): Promise<void> => {
    await psp.control.pay({ txid: paymentId.replaceAll('-', '') })
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

const postmasterOf = async (dataDir: string): Promise<number | undefined> => {
  const { home } = await keptFolders(dataDir)
  return (await findPostmaster(home))?.pid
}

const proveBooks = async (environment: Record<string, string>): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/ledger-verify.ts')], {
    cwd: ROOT,
    env: { ...process.env, ...environment, LOG_LEVEL: 'silent' },
  })
  return stdout
}

type Stage = Awaited<ReturnType<typeof prepare>>
type Scene = { stage: Stage; server: ServerProcess }

/** Describes a walk on a platform of its own: started before, proven and stopped after. */
const describeWalk = (name: string, tests: (scene: Scene) => void, bank = sandbox) =>
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

const STEP_TIMEOUT_MS = 180_000

const walkOn = (scene: Scene, steps: typeof mainJob) => {
  for (const { name, run: step } of steps) test(name, () => step(scene.stage.walk), STEP_TIMEOUT_MS)
}

describeWalk('the main job, against the started server', (scene) => {
  walkOn(scene, mainJob)

  test('SIGTERM stops it within ten seconds, cleanly, and it starts again with its data', async () => {
    const begun = performance.now()
    expect(await scene.server.stop('SIGTERM')).toBe(0)
    expect(performance.now() - begun).toBeLessThan(10_000)
    scene.server = await scene.stage.start()
    const { api, seller, paymentId } = scene.stage.walk
    expect(await api.get(`payments/${paymentId}`, { token: seller.token })).toMatchObject({ body: { status: 'paid' } })
  })
})

describeWalk('the main job, with real Pix at a simulated PSP', (scene) => walkOn(scene, mainJob), pixPsp)

describeWalk('the main job, with the server killed after every step, and Postgres in the middle', (scene) => {
  const killServer = async () => {
    await scene.server.kill()
    scene.server = await scene.stage.start()
  }

  const killPostgres = async () => {
    const { dataDir, walk } = scene.stage
    const killed = await postmasterOf(dataDir)
    expect(killed).toBeGreaterThan(0)
    process.kill(Number(killed), 'SIGKILL')
    await until('another Postgres runs', async () => {
      const running = await postmasterOf(dataDir)
      return running !== undefined && running !== killed
    })
    await until('the platform is ready again', async () => (await walk.api.get('/health/ready')).status === 200)
  }

  const stepThenDeath = ({ name, run: step }: (typeof mainJob)[number]) => {
    const inMiddle = name.includes('payer pays')
    const killed = inMiddle ? 'Postgres dies and comes back by itself' : 'the server dies and comes back'
    const stepAndDie = async () => {
      await step(scene.stage.walk)
      await (inMiddle ? killPostgres() : killServer())
    }
    test(`${name}, then ${killed}`, stepAndDie, STEP_TIMEOUT_MS)
  }

  for (const step of mainJob) stepThenDeath(step)
})
