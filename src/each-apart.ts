const CONCURRENCY = 5

/**
 * Does the same for each of a batch, five at a time. Each is tried, whatever becomes of the others, so that one that can
 * never succeed holds none up. Throws an AggregateError with every failure when all were tried; `failed` says what did not
 * come to be.
 */
export const eachApart = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  failed: string,
): Promise<void> => {
  const failures: unknown[] = []
  for (let at = 0; at < items.length; at += CONCURRENCY) {
    const results = await Promise.allSettled(items.slice(at, at + CONCURRENCY).map(work))
    failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
  }
  if (failures.length > 0) throw new AggregateError(failures, failed)
}
