import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { CONNECTIONS } from './bench.ts'
import { percentile } from './table.ts'

type Sent = { path: string; headers: Record<string, string>; body: string }

export type OpenLoopOptions = {
  url: string
  /** Requests that arrive each second, whether or not earlier ones have been answered. */
  perSecond: number
  seconds: number
  /** The request of each number. */
  requestOf: (number: number) => Sent
}

/** What became of those who came. Latencies in milliseconds, from the moment at which the request was due. */
export type OpenLoopResult = {
  due: number
  answered: number
  dropped: number
  failures: number
  p50: number
  p99: number
}

/** So many may wait for an answer, in a queue of the generator or on its connections. Who comes then is turned away. */
const WAITING_MAX = 1_000
const TICK_MS = 1

/**
 * Open-loop load: requests come at a steady pace that knows nothing of the answers, as customers do. A server that falls
 * behind is seen in the latencies and in those who were dropped, where a closed loop would just send less.
 */
export const openLoop = async ({ url, perSecond, seconds, requestOf }: OpenLoopOptions): Promise<OpenLoopResult> => {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const due = Math.floor(perSecond * seconds)
  const latencies: number[] = []
  const waiting = new Set<Promise<void>>()
  let dropped = 0
  let failures = 0

  const send = async (number: number, dueAtMs: number): Promise<void> => {
    const { path, headers, body } = requestOf(number)
    try {
      const answer = await request(`${url}${path}`, { dispatcher: agent, method: 'POST', headers, body })
      await answer.body.dump()
      if (answer.statusCode >= 300) failures += 1
      else latencies.push(performance.now() - dueAtMs)
    } catch {
      failures += 1
    }
  }

  const beganAtMs = performance.now()
  for (let number = 0; number < due; number += 1) {
    const dueAtMs = beganAtMs + (number / perSecond) * 1_000
    while (performance.now() < dueAtMs) await wait(TICK_MS)
    if (waiting.size >= WAITING_MAX) {
      dropped += 1
      continue
    }
    const sent = send(number, dueAtMs).finally(() => waiting.delete(sent))
    waiting.add(sent)
  }
  await Promise.all(waiting)
  await agent.close()
  latencies.sort((a, b) => a - b)
  return {
    due,
    answered: latencies.length,
    dropped,
    failures,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
