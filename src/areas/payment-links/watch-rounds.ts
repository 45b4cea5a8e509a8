import type { FastifyBaseLogger } from 'fastify'

/** How long a change made by another process may go unseen. */
const ROUND_MS = 500
/** A change made by this process is looked for at once, but no more often than this. */
const NUDGE_MS = 25

type Dependencies = {
  look: () => Promise<void>
  /** Nothing runs while nobody watches. */
  isWanted: () => boolean
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/** Looks again and again while somebody watches, one look at a time, and at once where something was committed here. */
export const createWatchRounds = ({ look, isWanted, logger }: Dependencies) => {
  let timer: NodeJS.Timeout | undefined
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let isLooking = false
  let isNudged = false

  const round = async (): Promise<void> => {
    isLooking = true
    isNudged = false
    lookedAtMs = performance.now()
    try {
      await look()
    } catch (error) {
      logger.warn({ err: error }, 'watched payments could not be looked at')
    }
    isLooking = false
    schedule(isNudged ? NUDGE_MS : ROUND_MS)
  }

  const schedule = (delayMs: number): void => {
    clearTimeout(timer)
    timer = isWanted() ? setTimeout(() => void round(), delayMs).unref() : undefined
  }

  return {
    /** Somebody watches from now on. */
    begin(): void {
      if (timer === undefined) schedule(ROUND_MS)
    },

    /** Something was committed. */
    nudge(): void {
      // What is being read now may be from before the commit.
      if (isLooking) isNudged = true
      else schedule(Math.max(0, lookedAtMs + NUDGE_MS - performance.now()))
    },
  }
}
