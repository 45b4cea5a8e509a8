/** Tells those who live in the same process that there is something to do. Whoever misses it finds out by polling. */
export const createSignal = () => {
  const listeners = new Set<() => void>()
  return {
    /** To be called after the commit. Never throws and never waits. */
    notify: (): void => {
      for (const listener of listeners) listener()
    },
    /** Answers the function that ends it. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Signal = ReturnType<typeof createSignal>

/** A place to wait at until somebody opens it or the time is up. Opened while nobody waits, it lets the next one pass. */
export const createGate = () => {
  let opened = false
  let pass: (() => void) | undefined
  return {
    open: (): void => {
      if (pass === undefined) opened = true
      else pass()
    },
    wait: (limitMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (opened) {
          opened = false
          resolve()
          return
        }
        const leave = () => {
          clearTimeout(timer)
          pass = undefined
          resolve()
        }
        const timer = setTimeout(leave, limitMs)
        pass = leave
      }),
  }
}
