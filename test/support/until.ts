import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 25

/** Waits until a check answers something truthy, and gives that back. Fails with `what` when it never does. */
export const until = async <Value>(
  what: string,
  check: () => Promise<Value | undefined | false | null> | Value | undefined | false | null,
  timeoutMs = 15_000,
): Promise<Value> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`)
    await wait(POLL_MS)
  }
}
