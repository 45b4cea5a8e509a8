import type { Clock } from './clock.ts'

/** Something that becomes due on the PSP's clock. */
export type DueWork = {
  /** When the next is due; undefined when nothing waits. */
  nextDueAt: () => number | undefined
  /** Does what is due. Must leave nothing due behind, or it is asked again at once. */
  run: () => void
}

const TIMER_MAX_MS = 2 ** 31 - 1

export type Schedule = ReturnType<typeof createSchedule>

/** Runs due work when its moment comes, also when that moment comes because somebody moved the clock. */
export const createSchedule = (clock: Clock) => {
  const works: DueWork[] = []
  let timer: NodeJS.Timeout | undefined
  let isOpen = true

  const arm = (): void => {
    clearTimeout(timer)
    if (!isOpen) return
    const dueAts = works.flatMap((work) => work.nextDueAt() ?? [])
    if (dueAts.length === 0) return
    timer = setTimeout(runDue, Math.min(Math.max(Math.min(...dueAts) - clock.now(), 0), TIMER_MAX_MS))
  }

  const runDue = (): void => {
    if (!isOpen) return
    for (const work of works) work.run()
    arm()
  }

  clock.onMove(runDue)

  return {
    add: (work: DueWork): void => void works.push(work),
    /** To be called when something was put off till later. */
    arm,
    close: (): void => {
      isOpen = false
      clearTimeout(timer)
    },
  }
}
