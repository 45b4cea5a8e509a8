import type { Settings } from './settings.ts'

/** The PSP's clock: real time, moved by an offset that tests set. Instants are milliseconds since 1970. */
export type Clock = ReturnType<typeof createClock>

export const createClock = (settings: Settings) => {
  const listeners: (() => void)[] = []
  const now = (): number => Date.now() + settings.get().clockOffsetMs

  const setOffset = (clockOffsetMs: number): void => {
    settings.change({ clockOffsetMs })
    for (const listener of listeners) listener()
  }

  return {
    now,
    iso: (): string => new Date(now()).toISOString(),
    offsetMs: (): number => settings.get().clockOffsetMs,
    setOffset,
    advance: (ms: number): void => setOffset(settings.get().clockOffsetMs + ms),
    onMove: (listener: () => void): void => void listeners.push(listener),
  }
}

export const isoOf = (ms: number): string => new Date(ms).toISOString()
