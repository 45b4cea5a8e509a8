import { Client, type Pool } from 'pg'

const LOOK_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 2_000

/** Whether a server answers a new connection within two seconds. A refusal, such as of one connection too many, is an answer. */
export const answersAtAll = async (url: string): Promise<boolean> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: 'payment-platform probe',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof Error && 'severity' in error
  } finally {
    // A server that hangs does not say good-bye either: nobody waits for that.
    void client.end().catch(() => undefined)
  }
}

/**
 * Calls `onSilence` while connections of a pool are busy and the server answers nobody. Only by asking something quick beside
 * it is a statement that takes long told from one that never ends. Ends with the pool.
 */
export const watchForSilence = (pool: Pool, currentUrl: () => string, onSilence: () => void): void => {
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking || pool.totalCount === pool.idleCount) return
    isLooking = true
    if (!(await answersAtAll(currentUrl()))) onSilence()
    isLooking = false
  }
  const timer = setInterval(() => (pool.ended ? clearInterval(timer) : void look()), LOOK_EVERY_MS).unref()
}
