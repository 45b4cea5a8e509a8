/** The platform's time. Nothing else decides in the domain, so that the sandbox can move days and tests need no waiting. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that runs `offsetMs` ahead of the system's. The sandbox moves it forward, never back. */
export type MovableClock = Clock & { offsetMs(): number; setOffsetMs(offsetMs: number): void }

export const createMovableClock = (initialOffsetMs = 0): MovableClock => {
  let current = initialOffsetMs
  return {
    now: () => new Date(Date.now() + current),
    offsetMs: () => current,
    setOffsetMs: (offsetMs) => {
      current = Math.max(current, offsetMs)
    },
  }
}

/** Milliseconds of a clock that nobody sets and that never goes back: for how long something took, rests or is good. */
export const monotonicMs = (): number => performance.now()
