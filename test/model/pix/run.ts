import { createRandom } from '../../../scripts/seed/random.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { pixEnvironment, runPixJobs } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { configure } from '../../support/withdrawals.ts'
import { createRunDatabase, proveAll } from '../platform.ts'
import { DECK, STEPS } from './deck.ts'
import { expectMoney, expectPayments, type World } from './world.ts'

/** A platform lives this long, with a clock that runs days ahead of the PSP's. */
const PLATFORM_STEPS = 1_000
/** Then the PSP forgets everything and another seller comes: the list of the last quarter of an hour is read again and again. */
const CHAPTER_STEPS = 50
const TRACE_MAX = 30

type Options = { adminUrl: string; seed: string; steps: number; onProgress?: (done: number) => void }

/** What a run came to; `failure` is the story of a disagreement. */
export type PixRunResult = { steps: number; seconds: number; counts: Record<string, number>; failure?: string }

type Stage = { app: TestApp; psp: TestPsp; prove: () => Promise<object[]>; close: () => Promise<void> }

const openStage = async (adminUrl: string): Promise<Stage> => {
  const database = await createRunDatabase(adminUrl)
  const psp = await startTestPsp()
  const app = await startTestApp(pixEnvironment(psp), { url: database.url, drop: async () => undefined })
  await runPixJobs(app, ['readReceivedPix'])
  const close = async (): Promise<void> => {
    await app.close()
    await psp.close()
    await database.drop()
  }
  return { app, psp, prove: () => proveAll(database.pool), close }
}

const openWorld = async ({ app, psp }: Stage, seed: string): Promise<World> => {
  await psp.control.must('POST', '/reset')
  await runPixJobs(app, ['registerPixWebhook'])
  const seller = await sellingSeller(app)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  const link = await app.api.post('payment-links', {
    token: seller.token,
    body: { title: 'Camiseta azul', amount: 2_500, methods: ['pix'] },
  })
  const { rows } = await app.sql.query('select end_to_end_id from received_pix')
  return {
    ...{ app, psp, seller, admin: await adminToken(app), random: createRandom(seed) },
    linkHash: link.body.hash,
    ...{ payments: [], received: [], before: rows.map((row) => row.end_to_end_id), paidOutAmount: 0, trace: [] },
  }
}

type Played = { done: number; failure?: string }

const playChapter = async (
  stage: Stage,
  { seed, steps }: Pick<Options, 'seed' | 'steps'>,
  counts: PixRunResult['counts'],
): Promise<Played> => {
  const world = await openWorld(stage, seed)
  const play = async (name: keyof typeof STEPS): Promise<void> => {
    world.trace.push(name)
    counts[name] = (counts[name] ?? 0) + 1
    await STEPS[name](world)
    await expectMoney(world)
    await expectPayments(world)
  }
  let done = 0
  try {
    for (; done < steps - 1; done += 1) await play(world.random.pick(DECK))
    // What is open would be asked about in the next chapter, where the PSP knows nothing of it.
    await play('expire')
    return { done: steps }
  } catch (error) {
    const story = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { done, failure: `${story}\n  ${world.trace.slice(-TRACE_MAX).join('\n  ')}` }
  }
}

const playPlatform = async (
  { adminUrl, seed, steps, onProgress }: Options,
  counts: PixRunResult['counts'],
): Promise<Played> => {
  const stage = await openStage(adminUrl)
  let played = 0
  try {
    for (let chapter = 0; played < steps; chapter += 1) {
      const asked = { seed: `${seed}.${chapter}`, steps: Math.min(CHAPTER_STEPS, steps - played) }
      const { done, failure } = await playChapter(stage, asked, counts)
      played += done
      if (failure !== undefined) return { done: played, failure }
      onProgress?.(played)
    }
    const findings = await stage.prove()
    return findings.length === 0
      ? { done: played }
      : { done: played, failure: `what is wrong with the books: ${JSON.stringify(findings)}` }
  } finally {
    await stage.close().catch(() => undefined)
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
  for (let platform = 0; played < steps; platform += 1) {
    const before = played
    const { done, failure } = await playPlatform(
      {
        ...{ adminUrl, seed: `${seed}.${platform}`, steps: Math.min(PLATFORM_STEPS, steps - played) },
        onProgress: (now) => onProgress?.(before + now),
      },
      counts,
    )
    played += done
    if (failure !== undefined) return { steps: played, seconds: seconds(), counts, failure }
  }
  return { steps: played, seconds: seconds(), counts }
}
