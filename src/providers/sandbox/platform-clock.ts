import type { AuditEntry, AuditRepository } from '../../audit/audit.repository.ts'
import type { Clock, MovableClock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import type { createSandboxRepository } from './sandbox.repository.ts'

type SandboxRepository = ReturnType<typeof createSandboxRepository>
type Writes = { sandbox: SandboxRepository; audit: AuditRepository }

type Dependencies = {
  read: { sandbox: Pick<SandboxRepository, 'findClockOffset'> }
  transact: <Result>(work: (tx: Writes) => Promise<Result>) => Promise<Result>
  clock: MovableClock
  wallClock: Clock
  /** Runs every job until nothing is due. */
  runDueJobs: () => Promise<void>
}

const advanceEntry = (actor: Actor, from: Date, to: Date): AuditEntry => ({
  actor,
  action: 'sandbox.advance_clock',
  targetType: 'platform_clock',
  // There is one clock, which has no id.
  targetId: NIL_UUID,
  before: { now: from.toISOString() },
  after: { now: to.toISOString() },
})

/** The time of all processes of one platform, which the sandbox may move forward. */
export const createPlatformClock = ({ read, transact, clock, wallClock, runDueJobs }: Dependencies) => {
  const moveTo = async (at: Date, note?: (tx: Writes) => Promise<void>): Promise<void> => {
    const offsetMs = at.getTime() - wallClock.now().getTime()
    await transact(async (tx) => {
      await tx.sandbox.moveClock(offsetMs)
      await note?.(tx)
    })
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
     * since that is when money becomes available and reserves are released. Who moved it how far is written with the
     * first step.
     */
    async advance(actor: Actor, ms: number): Promise<void> {
      const start = clock.now()
      const target = new Date(start.getTime() + ms)
      let note: ((tx: Writes) => Promise<void>) | undefined = (tx) =>
        tx.audit.add(advanceEntry(actor, start, target), start)
      let midnight = startOfSaoPauloDay(addDays(saoPauloDate(start), 1))
      while (midnight < target) {
        await moveTo(midnight, note)
        note = undefined
        midnight = startOfSaoPauloDay(addDays(saoPauloDate(midnight), 1))
      }
      await moveTo(target, note)
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
