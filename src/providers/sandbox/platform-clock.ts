import type { MovableClock } from '../../clock.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import type { createSandboxRepository } from './sandbox.repository.ts'

type SandboxRepository = ReturnType<typeof createSandboxRepository>

type Dependencies = {
  read: { sandbox: Pick<SandboxRepository, 'findClockOffset'> }
  transact: <Result>(work: (tx: { sandbox: SandboxRepository }) => Promise<Result>) => Promise<Result>
  clock: MovableClock
  wallClock: { now(): Date }
  /** Runs every job until nothing is due. */
  runDueJobs: () => Promise<void>
}

/** The time of all processes of one platform, which the sandbox may move forward. */
export const createPlatformClock = ({ read, transact, clock, wallClock, runDueJobs }: Dependencies) => {
  const moveTo = async (at: Date): Promise<void> => {
    const offsetMs = at.getTime() - wallClock.now().getTime()
    await transact((tx) => tx.sandbox.moveClock(offsetMs))
    clock.setOffsetMs(await read.sandbox.findClockOffset())
    await runDueJobs()
  }

  return {
    now: () => clock.now(),
    offsetMs: () => clock.offsetMs(),

    /** Takes over how far another process has moved the time. Every process calls it again and again. */
    async sync(): Promise<void> {
      clock.setOffsetMs(await read.sandbox.findClockOffset())
    },

    /**
     * Moves the time forward and runs what falls due on the way, in order: it stops at every midnight of São Paulo,
     * since that is when money becomes available and reserves are released.
     */
    async advance(ms: number): Promise<void> {
      const target = new Date(clock.now().getTime() + ms)
      let midnight = startOfSaoPauloDay(addDays(saoPauloDate(clock.now()), 1))
      while (midnight < target) {
        await moveTo(midnight)
        midnight = startOfSaoPauloDay(addDays(saoPauloDate(midnight), 1))
      }
      await moveTo(target)
    },
  }
}

export type PlatformClock = ReturnType<typeof createPlatformClock>

const SYNC_INTERVAL_MS = 1_000

/** Keeps a process at the platform's time until the returned function is called. */
export const followPlatformClock = ({ sync }: Pick<PlatformClock, 'sync'>, onFailure: (error: unknown) => void) => {
  const timer = setInterval(() => {
    sync().catch(onFailure)
  }, SYNC_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
