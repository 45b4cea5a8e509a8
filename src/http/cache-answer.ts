/**
 * Calls `find` at most once per `forMs` milliseconds of the process's own time, and shares its answer, also while it is
 * still being found. A failure is shared with those who wait for it, and not kept.
 */
export const cacheAnswer = <Answer>(
  find: () => Promise<Answer>,
  forMs: number,
  nowMs: () => number = () => performance.now(),
): (() => Promise<Answer>) => {
  let cached: { answer: Promise<Answer>; untilMs: number } | undefined
  return () => {
    if (cached !== undefined && nowMs() < cached.untilMs) return cached.answer
    const answer = find()
    // Not before it is there: a collection that takes longer than that would otherwise be begun twice.
    const current = { answer, untilMs: Number.POSITIVE_INFINITY }
    cached = current
    answer.then(
      () => {
        current.untilMs = nowMs() + forMs
      },
      () => {
        if (cached === current) cached = undefined
      },
    )
    return answer
  }
}
