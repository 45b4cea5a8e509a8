import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createGate, type Signal } from '../../signal.ts'
import type { WebhookEngine } from './engine.ts'

type Dependencies = {
  engine: WebhookEngine
  /** What tells of commits in this process; those of other processes are found by polling. */
  signal: Signal
  logger: Pick<FastifyBaseLogger, 'error'>
  pollMs?: number
}

const POLL_MS = 100
const RECOVERY_POLL_MS = 1_000
const AFTER_ERROR_MS = 1_000

/** Keeps an engine running until it is stopped. */
export const startWebhookDispatcher = ({ engine, signal, logger, pollMs = POLL_MS }: Dependencies) => {
  const gates = { fanOut: createGate(), recover: createGate(), send: createGate() }
  const aborting = new AbortController()

  const nudge = (): void => {
    for (const gate of Object.values(gates)) gate.open()
  }

  const resting = (restMs: number): Promise<void> =>
    wait(restMs, undefined, { signal: aborting.signal }).catch(() => undefined)

  const repeat = async (name: keyof typeof gates, restMs: number, runOnce: () => Promise<number>): Promise<void> => {
    while (!aborting.signal.aborted) {
      try {
        if ((await runOnce()) > 0) gates.send.open()
        else await gates[name].wait(restMs)
      } catch (error) {
        logger.error({ err: error, loop: name }, 'webhook dispatching failed')
        await resting(AFTER_ERROR_MS)
      }
    }
  }

  const unsubscribes = [signal.subscribe(nudge), engine.onRecorded(gates.send.open)]
  const loops = [
    repeat('fanOut', pollMs, engine.fanOut.runOnce),
    repeat('recover', RECOVERY_POLL_MS, engine.recover.runOnce),
    repeat('send', pollMs, engine.claimAndSend),
  ]

  return {
    /** Looks for work at once. */
    nudge,
    /** Claims nothing more, gives back what is unsent, and lets the calls under way end: see the engine's stop. */
    async stop(withinMs?: number): Promise<void> {
      aborting.abort()
      nudge()
      for (const unsubscribe of unsubscribes) unsubscribe()
      await Promise.all(loops)
      await engine.stop(withinMs)
    },
  }
}

export type WebhookDispatcher = ReturnType<typeof startWebhookDispatcher>
