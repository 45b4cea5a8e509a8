import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { listenError } from './start-error.ts'

const tryToListen = async (host: string, port: number): Promise<void> => {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen({ host, port })
  await listening
  const closed = once(server, 'close')
  server.close()
  await closed
}

/**
 * Throws StartError unless this process may listen on its port. Asked before anything is started or made: nobody then
 * waits for a database in vain, or sees the password of a platform that does not come up.
 */
export const assertPortIsFree = async (config: Config): Promise<void> => {
  if (config.role === 'worker') return
  try {
    await tryToListen(config.host, config.port)
  } catch (error) {
    throw listenError(error, config)
  }
}
