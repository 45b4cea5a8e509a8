import type { Pool } from 'pg'
import { isRetryable } from './errors.ts'

const ATTEMPTS_MAX = 3

/**
 * Lets the reads of a pool be asked again: a standby ends what keeps it from replaying a change (SQLSTATE 40001, see
 * https://www.postgresql.org/docs/18/hot-standby.html), and the same question a moment later is answered. Only for a pool
 * that nothing writes through, statement by statement. Throws what the last of three attempts threw.
 */
export const askAgain = (pool: Pool): Pool => {
  const ask = pool.query.bind(pool) as (...question: unknown[]) => Promise<unknown>
  const askPatiently = async (...question: unknown[]): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(...question)
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error
      }
    }
  }
  return Object.assign(pool, { query: askPatiently })
}
