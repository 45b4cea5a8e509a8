import { parseArgs } from 'node:util'
import { runPixModel } from '../test/model/pix/run.ts'
import { runModel } from '../test/model/run.ts'
import { startTestServer } from '../test/support/postgres-server.ts'

const PROGRESS_EVERY_MS = 5_000
/** A platform lives this long. Then the story goes on with another one, under a seed of its own. */
const CHAPTER_STEPS = 20_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: '20000' },
    sellers: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    kills: { type: 'boolean', default: false },
    /** `pix`: payers, PSP and administrators of a simulated Pix account, in place of the sandbox. */
    provider: { type: 'string', default: 'sandbox' },
  },
})

const whole = (name: 'steps' | 'sellers' | 'only' | 'minutes'): number | undefined => {
  const text = values[name]
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new RangeError(`--${name} must be a whole number`)
  return Number(text)
}

const steps = whole('steps') ?? 0
const minutes = whole('minutes')
const untilMs = minutes === undefined ? undefined : performance.now() + minutes * 60_000

const disagree = (played: number, failure: string): void => {
  console.error(`The platform and the model disagree after ${played} steps.\n${failure}`)
  process.exitCode = 1
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort()
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ')

const playPix = async (adminUrl: string): Promise<void> => {
  const { seed } = values
  console.log(`seed ${seed}`)
  const onProgress = (now: number): void => console.log(`${now} steps`)
  const { steps: played, seconds, counts, failure } = await runPixModel({ adminUrl, seed, steps, onProgress })
  if (failure !== undefined)
    return disagree(played, `${failure}\nReplay: --provider pix --seed ${seed} --steps ${steps}`)
  console.log(`${played} steps of Pix agree, the ledger is proven (${seconds} s)\n${listed(counts)}`)
}

const telling = (before: number): ((now: number) => void) => {
  let toldAtMs = 0
  return (now) => {
    if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return
    toldAtMs = performance.now()
    console.log(`${before + now} steps`)
  }
}

/** Plays on a platform of its own. Answers how many steps there were; undefined: the story has ended in a disagreement. */
const playChapter = async (adminUrl: string, chapter: number, before: number): Promise<number | undefined> => {
  const seed = chapter === 0 ? values.seed : `${values.seed}.${chapter}`
  console.log(`seed ${seed}`)
  const { failure, ...result } = await runModel({
    adminUrl,
    seed,
    steps: Math.min(CHAPTER_STEPS, steps - before),
    untilMs,
    only: whole('only'),
    kills: values.kills,
    ...(values.sellers === undefined ? {} : { sellers: whole('sellers') ?? 1 }),
    onProgress: telling(before),
  })
  if (failure !== undefined) {
    disagree(result.steps, failure)
    return undefined
  }
  const deaths = result.kills > 0 ? `, through ${result.kills} kills` : ''
  console.log(`${before + result.steps} steps agree${deaths}, the ledger is proven (${result.seconds} s)`)
  console.log(listed(result.counts))
  return result.steps
}

const playSandbox = async (adminUrl: string): Promise<void> => {
  let done = 0
  for (let chapter = 0; done < steps && performance.now() < (untilMs ?? Number.POSITIVE_INFINITY); chapter += 1) {
    const played = await playChapter(adminUrl, chapter, done)
    if (played === undefined) return
    done += played
  }
}

const server = await startTestServer()
try {
  if (values.provider === 'pix') await playPix(server.adminUrl)
  else await playSandbox(server.adminUrl)
} finally {
  await server.stop()
}
