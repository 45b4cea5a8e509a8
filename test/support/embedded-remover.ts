// A process of its own that removes a throw-away cluster once its parent closes the pipe or dies, however it dies.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, removeEmbeddedPostgres } from '../../src/db/embedded.ts'

const ATTEMPTS_MAX = 100
const RETRY_DELAY_MS = 50

const remove = async (folder: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await removeEmbeddedPostgres(folder)
    } catch (error) {
      // The pipe of a dying process may close before its lock does.
      if (!(error instanceof EmbeddedPostgresError) || attempt === ATTEMPTS_MAX) throw error
      await sleep(RETRY_DELAY_MS)
    }
  }
}

process.stdin.resume()
await once(process.stdin, 'end')
await remove(process.argv[2] ?? '')
