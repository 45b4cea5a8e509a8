import { parseArgs } from 'node:util'
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

const server = await startTestServer()
try {
  let done = 0
  let toldAtMs = 0
  for (let chapter = 0; done < steps && performance.now() < (untilMs ?? Number.POSITIVE_INFINITY); chapter += 1) {
    const seed = chapter === 0 ? values.seed : `${values.seed}.${chapter}`
    const before = done
    console.log(`seed ${seed}`)
    const result = await runModel({
      adminUrl: server.adminUrl,
      seed,
      steps: Math.min(CHAPTER_STEPS, steps - done),
      untilMs,
      only: whole('only'),
      kills: values.kills,
      ...(values.sellers === undefined ? {} : { sellers: whole('sellers') ?? 1 }),
      onProgress: (now) => {
        if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return
        toldAtMs = performance.now()
        console.log(`${before + now} steps`)
      },
    })
    done += result.steps
    if (result.failure !== undefined) {
      console.error(`The platform and the model disagree after ${result.steps} steps.\n${result.failure}`)
      process.exitCode = 1
      break
    }
    const deaths = result.kills > 0 ? `, through ${result.kills} kills` : ''
    console.log(`${done} steps agree${deaths}, the ledger is proven (${result.seconds} s)`)
    console.log(
      Object.entries(result.counts)
        .sort()
        .map(([what, count]) => `${what}: ${count}`)
        .join(', '),
    )
  }
} finally {
  await server.stop()
}
