import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptFolders } from '../../src/db/embedded/place.ts'
import { findPostmaster } from '../../src/db/embedded/postmaster.ts'
import { findEmbeddedPostgres, removeEmbeddedPostgres } from '../../src/db/embedded.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { mainJob, type Walk } from './main-job.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const ADMIN_PASSWORD = 'a long administrator password'

/** A platform with its own data folder and so its own embedded Postgres, and a walk through it that has yet to begin. */
const prepare = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-journey-'))
  const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'info' }
  const receiver = await startWebhookReceiver()
  const walk: Walk = {
    api: undefined as never,
    receiver,
    adminPassword: ADMIN_PASSWORD,
    seller: { email: 'maria@example.com', password: 'uma senha bem comprida', token: '' },
    admin: { token: '' },
    companyId: '',
    paymentId: '',
    withdrawalId: '',
    webhookSecret: '',
  }
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer({ environment })
    walk.api = server.api
    return server
  }
  const remove = async () => {
    await receiver.close()
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
const describeWalk = (name: string, tests: (scene: Scene) => void) =>
  describe(name, () => {
    const scene = {} as Scene

    beforeAll(async () => {
      scene.stage = await prepare()
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

const STEP_TIMEOUT_MS = 60_000

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

describeWalk('the main job, with the server killed after every step', (scene) => {
  for (const { name, run: step } of mainJob) {
    const killAndContinue = async () => {
      await step(scene.stage.walk)
      await scene.server.kill()
      scene.server = await scene.stage.start()
    }
    test(`${name}, then the server dies and comes back`, killAndContinue, STEP_TIMEOUT_MS)
  }
})

describeWalk('the main job, with Postgres killed in the middle', (scene) => {
  const middle = mainJob.findIndex(({ name }) => name.includes('payer pays')) + 1
  walkOn(scene, mainJob.slice(0, middle))

  test('Postgres dies, and comes back by itself', async () => {
    const { dataDir, walk } = scene.stage
    const killed = await postmasterOf(dataDir)
    expect(killed).toBeGreaterThan(0)
    process.kill(Number(killed), 'SIGKILL')
    await until('another Postgres runs', async () => {
      const running = await postmasterOf(dataDir)
      return running !== undefined && running !== killed
    })
    await until('the platform is ready again', async () => (await walk.api.get('/health/ready')).status === 200)
  })

  walkOn(scene, mainJob.slice(middle))
})
