import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/** What became of one request. Status 0: no answer, but `fault`. */
export type Attempt = {
  key: string
  status: number
  body: string
  retryAfter: string | undefined
  ms: number
  fault: string
}

type Options = { urls: readonly string[]; token: string; callers: number; pauseMs?: number; agent?: Agent }

/** Asks for a Pix payment under a key, and tells what came of it. Never throws. */
export const askForPayment = async (url: string, token: string, key: string, agent?: Agent): Promise<Attempt> => {
  const begunMs = performance.now()
  const ended = (rest: Pick<Attempt, 'status' | 'body' | 'retryAfter' | 'fault'>): Attempt => ({
    key,
    ms: performance.now() - begunMs,
    ...rest,
  })
  const content = JSON.stringify({ method: 'pix', amount: 1_000 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
  return new Promise((resolve) => {
    const fail = (error: Error & { code?: string }) =>
      resolve(ended({ status: 0, body: '', retryAfter: undefined, fault: error.code ?? error.message }))
    const call = request(`${url}/api/v1/payments`, { method: 'POST', headers, ...(agent && { agent }) })
    call.once('error', fail)
    call.once('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response
      text(response).then((body) => {
        resolve(ended({ status, body, retryAfter: answered['retry-after'], fault: '' }))
      }, fail)
    })
    call.end(content)
  })
}

/** Some callers who ask for one payment after the other, by turns at each address, until they are stopped. */
export const startLoad = ({ urls, token, callers, pauseMs = 0, agent = new Agent({ keepAlive: true }) }: Options) => {
  const attempts: Attempt[] = []
  let isStopped = false
  const call = async (caller: number): Promise<void> => {
    for (let turn = caller; !isStopped; turn += 1) {
      attempts.push(await askForPayment(urls[turn % urls.length] ?? '', token, randomUUID(), agent))
      await wait(pauseMs)
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  return {
    /** So far. */
    attempts: attempts as readonly Attempt[],
    stop: async (): Promise<readonly Attempt[]> => {
      isStopped = true
      await calling
      agent.destroy()
      return attempts
    },
  }
}

/** Attempts by what became of them, for an assertion that shows all at once. */
export const outcomes = (attempts: readonly Attempt[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, fault } of attempts) {
    const outcome = fault || String(status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
