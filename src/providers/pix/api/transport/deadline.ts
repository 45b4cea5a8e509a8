/** The time that a call may take: its own deadline, or its caller's signal, whichever is first. */

/** Why a signal of `within` aborted. */
export type AbortReason = 'deadline' | 'aborted'

export const abortReasonOf = (signal: AbortSignal): AbortReason =>
  signal.reason === 'aborted' ? 'aborted' : 'deadline'

/** Runs work with a signal that aborts at the deadline, or when the caller's does. The work settles soon after that. */
export const within = async <Result>(
  deadlineMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const giveUp = (): void => controller.abort('aborted')
  // A timer of its own and not AbortSignal.timeout, which could not be cleared: thousands would pile up.
  const timer = setTimeout(() => controller.abort('deadline'), deadlineMs)
  caller?.addEventListener('abort', giveUp, { once: true })
  if (caller?.aborted) giveUp()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', giveUp)
  }
}

/** Waits for something that goes on without us, until the signal aborts. */
export const until = <Result, Late>(
  result: Promise<Result>,
  signal: AbortSignal,
  late: (reason: AbortReason) => Late,
): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const expire = (): void => resolve(late(abortReasonOf(signal)))
    if (signal.aborted) {
      expire()
      return
    }
    signal.addEventListener('abort', expire, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', expire))
  })
