import { serverErrors } from '../errors.ts'

const RETRY_AFTER_SECONDS = 2

/**
 * Lets at most `running` pieces of work run at once and `waiting` more wait for their turn, in order, however many ask:
 * what is slow on purpose may not take every thread of the process. Throws server.unavailable beyond.
 */
export const createTurns = (limits: { running: number; waiting: number }) => {
  const queue: (() => void)[] = []
  let running = 0

  const begin = async (): Promise<void> => {
    if (running < limits.running) {
      running += 1
      return
    }
    if (queue.length >= limits.waiting) {
      throw serverErrors.unavailable({ headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
    }
    // Whoever ends hands its place over: nobody who asks meanwhile comes first.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  const end = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
}
