import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { hostUrls } from '../database-url.ts'
import { isUnavailable } from './errors.ts'

const ANSWER_WITHIN_MS = 1_000
/** Once one says that it takes writes, the others have this long to say that they do too. */
const OTHERS_WITHIN_MS = 300
/** With a connection to what was found, less than callers wait for one. */
const FIND_WITHIN_MS = 2_500
const ASK_AGAIN_MS = 100

// Every promotion begins a timeline with a higher number, which names the files of the log. Null where nothing can be written.
const TIMELINE = `
  select case when current_setting('transaction_read_only') = 'off'
    then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint::int end as timeline`

type Answer = { url: string; timeline: number | null; fault?: unknown }

const ask = async (url: string): Promise<Answer> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: 'payment-platform probe',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(TIMELINE)
    return { url, timeline: rows[0]?.timeline ?? null }
  } catch (fault) {
    return { url, timeline: null, fault }
  } finally {
    // A server that hangs does not say good-bye either: nobody waits for that.
    void client.end().catch(() => undefined)
  }
}

/** The answers of all hosts, in their order, without those that are late. */
const askAll = async (urls: readonly string[]): Promise<Answer[]> => {
  const answers: (Answer | undefined)[] = urls.map(() => undefined)
  const { promise: oneWrites, resolve } = Promise.withResolvers<void>()
  const all = urls.map(async (url, index) => {
    const answer = await ask(url)
    answers[index] = answer
    if (answer.timeline !== null) resolve()
  })
  await Promise.race([Promise.all(all), oneWrites.then(() => wait(OTHERS_WITHIN_MS, undefined, { ref: false }))])
  return answers.filter((answer) => answer !== undefined)
}

// What can be mended by hand is more use to know than that one of them is away.
const faultOf = (answers: readonly Answer[]): unknown => {
  const faults = answers.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
  const lasting = faults.find((fault) => !isUnavailable(fault))
  if (lasting !== undefined) return lasting
  if (answers.length === 0 || faults.length < answers.length) {
    return new Error('No host of the database takes writes', { cause: { code: '25006' } })
  }
  return faults[0]
}

export type WritableHost = {
  /** The URL of the host that takes writes. Throws what can be said of them when none does for two and a half seconds. */
  find(): Promise<string>
  /** The last that was found. */
  last(): string
  /** A connection to this one broke, or cannot write: whoever comes next asks again. */
  lose(url: string): void
  /** Asks whether another one takes writes since, which connections that only read would never hear of. Throws nothing. */
  check(): Promise<void>
}

/**
 * Finds the one of several hosts that takes writes, by asking them all at once, and remembers it until it is lost. Of two that
 * take writes it is the one that was promoted last, and none from before a promotion that was seen once: a primary that comes
 * back after its standby took its place would take payments that nobody sees again. `onMove` hears of each new one.
 */
export const createWritableHost = (url: string, onMove: (url: string) => void): WritableHost => {
  const urls = hostUrls(url)
  let last = urls[0] ?? url
  let newestTimeline = 0
  let found: string | undefined
  let finding: Promise<string> | undefined

  const choose = (answers: readonly Answer[]): Answer | undefined => {
    const writable = answers.filter(({ timeline }) => timeline !== null && timeline >= newestTimeline)
    const newest = Math.max(...writable.map(({ timeline }) => timeline ?? 0))
    const candidates = writable.filter(({ timeline }) => timeline === newest)
    return candidates.find((candidate) => candidate.url === last) ?? candidates[0]
  }
  const remember = ({ url: chosen, timeline }: Answer): string => {
    newestTimeline = timeline ?? newestTimeline
    if (chosen !== last) onMove(chosen)
    found = chosen
    last = chosen
    return chosen
  }
  const look = async (): Promise<string> => {
    const deadline = performance.now() + FIND_WITHIN_MS
    for (;;) {
      const answers = await askAll(urls)
      const chosen = choose(answers)
      if (chosen !== undefined) return remember(chosen)
      const fault = faultOf(answers)
      if (performance.now() > deadline || !isUnavailable(fault)) throw fault
      await wait(ASK_AGAIN_MS)
    }
  }
  const find = async (): Promise<string> => {
    if (found !== undefined) return found
    finding ??= look().finally(() => {
      finding = undefined
    })
    return await finding
  }
  const lose = (lost: string): void => {
    // What broke at another host says nothing of this one.
    if (lost === found) found = undefined
  }
  const check = async (): Promise<void> => {
    if (found === undefined) return
    const chosen = choose(await askAll(urls))
    if (chosen !== undefined && chosen.url !== found) remember(chosen)
  }
  return { find, last: () => last, lose, check }
}

/** The URL of the host that takes writes; where there is one host, its URL, unasked. */
export const writableUrl = async (url: string): Promise<string> =>
  hostUrls(url).length > 1 ? await createWritableHost(url, () => undefined).find() : url
