import { expect, test } from 'vitest'
import { keptFolders } from '../../src/db/embedded/place.ts'
import { findPostmaster } from '../../src/db/embedded/postmaster.ts'
import { until } from '../support/until.ts'
import { mainJob } from './main-job.ts'
import { describeWalk, STEP_TIMEOUT_MS } from './walk.ts'

const postmasterOf = async (dataDir: string): Promise<number | undefined> => {
  const { home } = await keptFolders(dataDir)
  return (await findPostmaster(home))?.pid
}

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
