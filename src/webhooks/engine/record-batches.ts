import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { LeaseEnd, RecordEnds } from './record-ends.ts'

type Dependencies = {
  recordEnds: RecordEnds
  logger: Pick<FastifyBaseLogger, 'error'>
  /** Called after each batch that was written, with how many of its leases were no longer ours. */
  onRecorded: (staleCount: number) => void
}

const BATCH_MAX = 200
/** Short, because a crash in this time sends again what was already received. */
const WINDOW_MS = 20
const TRIES_MAX = 4
const TRY_AGAIN_MS = 250

type Waiting = { end: LeaseEnd; done: () => void }

/** Gathers ends of leases for at most 20 ms or 200 of them, and writes one batch after the other. */
export const createRecordBatches = ({ recordEnds, logger, onRecorded }: Dependencies) => {
  const waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = false

  // What cannot be written is given up: its leases end by themselves, and it is sent again.
  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      try {
        onRecorded(await recordEnds(batch.map(({ end }) => end)))
        return
      } catch (error) {
        logger.error({ err: error, deliveries: batch.length, attempt }, 'webhook deliveries could not be recorded')
        if (attempt < TRIES_MAX) await wait(TRY_AGAIN_MS * attempt)
      }
    }
  }

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    writing = true
    do {
      const batch = waiting.splice(0, BATCH_MAX)
      await writeBatch(batch)
      for (const { done } of batch) done()
      // The rest of a window may be shorter than a full batch: it waits like any other.
    } while (waiting.length >= BATCH_MAX)
    writing = false
    if (waiting.length > 0) timer = setTimeout(() => void flush(), WINDOW_MS)
  }

  return {
    /** Answers once the end is written, or given up. */
    add: (end: LeaseEnd): Promise<void> =>
      new Promise((done) => {
        waiting.push({ end, done })
        if (waiting.length >= BATCH_MAX) void flush()
        else if (!writing) timer ??= setTimeout(() => void flush(), WINDOW_MS)
      }),
  }
}

export type RecordBatches = ReturnType<typeof createRecordBatches>
