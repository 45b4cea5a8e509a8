import { createRandom } from '../../../scripts/seed/random.ts'
import { startTestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { pixEnvironment, runPixJobs } from '../../support/psp/pix-app.ts'
import { startTestPsp } from '../../support/psp/simulator.ts'
import { configure } from '../../support/withdrawals.ts'
import { createRunDatabase, proveAll } from '../platform.ts'
import { DECK, STEPS } from './steps.ts'
import { agree, expectMoney, expectPayments, type World } from './world.ts'

/** A PSP and a platform live this long: the list of the last quarter of an hour is read again and again. */
const CHAPTER_STEPS = 250
const TRACE_MAX = 30

type Options = { adminUrl: string; seed: string; steps: number; onProgress?: (done: number) => void }

/** What a run came to; `failure` is the story of a disagreement. */
export type PixRunResult = { steps: number; seconds: number; counts: Record<string, number>; failure?: string }

const openWorld = async (adminUrl: string, seed: string) => {
  const database = await createRunDatabase(adminUrl)
  const psp = await startTestPsp()
  const app = await startTestApp(pixEnvironment(psp), { url: database.url, drop: async () => undefined })
  await runPixJobs(app, ['readReceivedPix', 'registerPixWebhook'])
  const seller = await sellingSeller(app)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const world: World = {
    ...{ app, psp, seller, admin: await adminToken(app), random: createRandom(seed) },
    ...{ payments: [], received: [], paidOutAmount: 0, trace: [] },
  }
  const close = async (): Promise<void> => {
    await app.close()
    await psp.close()
    await database.drop()
  }
  return { world, prove: () => proveAll(database.pool), close }
}

const playChapter = async (
  { adminUrl, seed, steps }: Options,
  counts: Record<string, number>,
): Promise<{ done: number; failure?: string }> => {
  const { world, prove, close } = await openWorld(adminUrl, seed)
  let done = 0
  try {
    for (; done < steps; done += 1) {
      const name = world.random.pick(DECK)
      world.trace.push(`${done} ${name}`)
      counts[name] = (counts[name] ?? 0) + 1
      await STEPS[name](world)
      await expectMoney(world)
      await expectPayments(world)
    }
    agree('what is wrong with the books', await prove(), [])
    return { done }
  } catch (error) {
    const story = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { done, failure: `${story}\n  ${world.trace.slice(-TRACE_MAX).join('\n  ')}` }
  } finally {
    await close().catch(() => undefined)
  }
}

/**
 * Plays payers, a seller, an administrator and the PSP at random against a whole platform with a simulated Pix account, over
 * real TLS in both directions. After each step every Pix must have ended where the model says, and the PSP must hold what the
 * books and the open Pix say.
 */
export const runPixModel = async ({ adminUrl, seed, steps, onProgress }: Options): Promise<PixRunResult> => {
  const startedAt = performance.now()
  const counts: Record<string, number> = {}
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000)
  let played = 0
  for (let chapter = 0; played < steps; chapter += 1) {
    const asked = { adminUrl, seed: `${seed}.${chapter}`, steps: Math.min(CHAPTER_STEPS, steps - played) }
    const { done, failure } = await playChapter(asked, counts)
    played += done
    onProgress?.(played)
    if (failure !== undefined) return { steps: played, seconds: seconds(), counts, failure }
  }
  return { steps: played, seconds: seconds(), counts }
}
