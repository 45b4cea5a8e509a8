/** Tells those who live in the same process that something was committed. Whoever misses it finds out by polling. */
export const createEventSignal = () => {
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

export type EventSignal = ReturnType<typeof createEventSignal>
