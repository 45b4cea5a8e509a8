/**
 * Kept-alive connections to the PSP's addresses, all of them made with one client certificate. A renewed certificate
 * gets connections of its own: these end with the calls that are on them.
 */

import type { Identity } from '../../../../crypto/certificate-files.ts'
import { createSocketPool, type Slot } from '../../../../outbound/socket-pool.ts'
import { undici } from '../../../../packages-on-demand.ts'
import { abortReasonOf } from './deadline.ts'
import { type Exchange, exchange, type HttpRequest } from './exchange.ts'

export type ConnectionLimits = {
  connectTimeoutMs: number
  idleTimeoutMs: number
  /** To each address. A call that finds none free waits for one, within its deadline, unless too many wait already. */
  connectionsMax: number
  answerBytesMax: number
}

/** A queue of this many calls for each connection is over in some answers; a longer one would only take memory. */
const WAITING_PER_CONNECTION = 4

export type Connections = ReturnType<typeof createConnections>

/** The PSP may close a kept-alive connection at any time. If it did so as we wrote, it has mostly not read the call. */
const metClosing = (slot: Slot, result: Exchange): boolean =>
  slot.answers > 0 && result.kind === 'broken' && !result.hasBegun && result.reason === 'closed'

export const createConnections = ({ secureContext }: Identity, limits: ConnectionLimits) => {
  const { connectTimeoutMs, idleTimeoutMs, connectionsMax, answerBytesMax: bytesMax } = limits
  const connect = undici().buildConnector({
    allowH2: false,
    autoSelectFamily: true,
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
    rejectUnauthorized: true,
    secureContext,
    timeout: connectTimeoutMs,
  })
  const pool = createSocketPool({
    connect,
    idleTimeoutMs,
    socketsPerOriginMax: connectionsMax,
    // The API and the token endpoint, which may have an address of its own.
    socketsMax: 2 * connectionsMax,
    waitingMax: WAITING_PER_CONNECTION * connectionsMax,
  })
  let busyCount = 0
  let isRetired = false

  const leave = (slot: Slot, isReusable: boolean): void => {
    if (isReusable && !isRetired) {
      slot.answers += 1
      pool.release(slot)
    } else {
      pool.discard(slot)
    }
    busyCount -= 1
    if (isRetired && busyCount === 0) void pool.close()
  }

  const sendOn = async (slot: Slot, request: HttpRequest, signal: AbortSignal): Promise<Exchange> => {
    const first = await exchange(slot.client, request, { signal, bytesMax })
    // The same client again: it has lost its connection and makes a new one, so that this cannot happen twice.
    const isRepeated = request.isRepeatable && metClosing(slot, first)
    return isRepeated ? exchange(slot.client, request, { signal, bytesMax }) : first
  }

  const settle = (slot: Slot, result: Exchange): void => {
    if (result.kind !== 'stream') {
      leave(slot, result.kind === 'answer')
      return
    }
    const { stream } = result
    stream.once('close', () => leave(slot, stream.readableEnded))
  }

  return {
    /** One request and its answer. Never rejects for what the network does. */
    send: async (request: HttpRequest, signal: AbortSignal): Promise<Exchange> => {
      const broken = { kind: 'broken', isSent: false, hasBegun: false } as const
      if (signal.aborted) return { ...broken, reason: abortReasonOf(signal) }
      busyCount += 1
      const slot = await pool.acquire(new URL(request.url).origin, signal)
      if (slot === undefined) {
        busyCount -= 1
        return { ...broken, reason: signal.reason === 'aborted' ? 'aborted' : 'busy' }
      }
      const result = await sendOn(slot, request, signal)
      settle(slot, result)
      return result
    },
    /** Lets the calls that are on the connections end, and closes them. */
    retire: (): void => {
      isRetired = true
      if (busyCount === 0) void pool.close()
    },
    /** Closes all connections, whatever is on them. */
    close: (): Promise<void> => pool.close(),
  }
}
