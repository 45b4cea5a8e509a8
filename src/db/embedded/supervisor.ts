import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'
import type { Place } from './place.ts'
import { hasExited, type Settings, startPostmaster, stopPostmaster } from './postmaster.ts'

export type EmbeddedLog = Readonly<{
  info: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}>

const START_ATTEMPTS_MAX = 20
const RETRY_DELAY_MS = 100
const RETRY_DELAY_MAX_MS = 2_000

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })

// Another process may take the port first, and the backends of a killed server need a moment to notice its death.
const PASSING_FAULTS = ['could not create any TCP/IP sockets', 'pre-existing shared memory block']

const isPassing = (error: unknown): boolean =>
  error instanceof EmbeddedPostgresError && PASSING_FAULTS.some((fault) => error.message.includes(fault))

const startOnFreePort = async (place: Place, settings: Settings): Promise<{ child: ChildProcess; port: number }> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      return { child: await startPostmaster(place, port, settings), port }
    } catch (error) {
      if (attempt === START_ATTEMPTS_MAX || !isPassing(error)) throw error
      await sleep(RETRY_DELAY_MS)
    }
  }
}

type Supervised = { port: number; stop: () => Promise<void> }

/**
 * Starts Postgres on a free port and keeps it running on that port: when it ends unasked, it is started again, until
 * `stop` is called. Throws EmbeddedPostgresError when the first start fails.
 */
export const supervise = async (place: Place, settings: Settings, log: EmbeddedLog): Promise<Supervised> => {
  const first = await startOnFreePort(place, settings)
  const { port } = first
  let child = first.child
  let stopping = false
  let recovery: Promise<void> = Promise.resolve()

  const recover = async (): Promise<void> => {
    for (let delayMs = RETRY_DELAY_MS; !stopping; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MAX_MS)) {
      try {
        child = await startPostmaster(place, port, settings)
        watch()
        log.info({ port }, 'the embedded Postgres runs again')
        return
      } catch (error) {
        log.error({ port, reason: String(error) }, 'the embedded Postgres could not be restarted yet')
        await sleep(delayMs)
      }
    }
  }
  const onExit = (): void => {
    if (stopping) return
    log.error(
      { port, exitCode: child.exitCode, signal: child.signalCode },
      'the embedded Postgres ended, restarting it',
    )
    recovery = recover()
  }
  const watch = (): void => {
    if (hasExited(child)) onExit()
    else child.once('exit', onExit)
  }
  watch()

  return {
    port,
    stop: async () => {
      stopping = true
      await recovery
      if (child.pid !== undefined && !hasExited(child)) await stopPostmaster(child.pid, place.home)
    },
  }
}
