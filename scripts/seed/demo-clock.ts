import type { MovableClock } from '../../src/clock.ts'

/** A clock that stands still until it is moved: everything done between two moves happened at one instant. */
export type DemoClock = MovableClock & { moveTo(instant: Date): void }

/** Never runs back. */
export const createDemoClock = (start: Date): DemoClock => {
  let current = start.getTime()
  const moveTo = (instant: Date): void => {
    current = Math.max(current, instant.getTime())
  }
  return {
    now: () => new Date(current),
    moveTo,
    offsetMs: () => current - Date.now(),
    setOffsetMs: (offsetMs) => moveTo(new Date(Date.now() + offsetMs)),
  }
}
