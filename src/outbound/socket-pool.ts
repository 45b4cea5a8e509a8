import type { buildConnector, Client } from 'undici'
import { undici } from '../packages-on-demand.ts'

/** One socket at most, for one call at a time. `answers` counts those that the present socket has carried. */
export type Slot = { readonly client: Client; readonly origin: string; answers: number }

type OriginQueue = { slotsCount: number; idle: Slot[]; waiting: Set<(slot: Slot) => void> }

type Options = {
  connect: buildConnector.connector
  socketsPerOriginMax: number
  /** Idle sockets of other origins are closed, oldest first, to stay below this. */
  socketsMax: number
  /** So many calls may wait for a socket of one origin; without it, any number. */
  waitingMax?: number
  idleTimeoutMs: number
}

/** Status line and headers of an answer, together. */
const HEADERS_BYTES_MAX = 16 * 1024

/** A kept-alive socket is given up this long before the time that the peer announced, so as not to meet its closing. */
const KEEP_ALIVE_MARGIN_MS = 1_000

const createClient = (origin: string, { connect, idleTimeoutMs }: Options): Client =>
  new (undici().Client)(origin, {
    connect,
    pipelining: 1,
    // The caller's deadline covers the whole call; a timer per phase would add nothing but work.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    maxHeaderSize: HEADERS_BYTES_MAX,
  })

const waitForSlot = (queue: OriginQueue, signal: AbortSignal): Promise<Slot | undefined> =>
  new Promise((resolve) => {
    const give = (slot: Slot) => {
      signal.removeEventListener('abort', giveUp)
      resolve(slot)
    }
    const giveUp = () => {
      queue.waiting.delete(give)
      resolve(undefined)
    }
    queue.waiting.add(give)
    signal.addEventListener('abort', giveUp, { once: true })
  })

/**
 * Sockets by origin. undici's own pool is not used for two reasons: it does not let go of a call that is still queued
 * or connecting when its time is up, and it does not tell whether a call met a used socket or a new one.
 */
export const createSocketPool = (options: Options) => {
  const { waitingMax = Number.POSITIVE_INFINITY } = options
  const queues = new Map<string, OriginQueue>()
  const idleSlots = new Set<Slot>()
  const slots = new Set<Slot>()

  const queueOf = (origin: string): OriginQueue => {
    const queue = queues.get(origin) ?? { slotsCount: 0, idle: [], waiting: new Set() }
    queues.set(origin, queue)
    return queue
  }

  const open = (origin: string, queue: OriginQueue): Slot => {
    const [oldestIdle] = slots.size >= options.socketsMax ? idleSlots : []
    if (oldestIdle !== undefined) discard(oldestIdle)
    const slot: Slot = { client: createClient(origin, options), origin, answers: 0 }
    queue.slotsCount += 1
    slots.add(slot)
    slot.client.on('connect', () => {
      slot.answers = 0
    })
    slot.client.on('disconnect', () => {
      if (idleSlots.has(slot)) discard(slot)
    })
    return slot
  }

  const discard = (slot: Slot): void => {
    if (!slots.delete(slot)) return
    const queue = queueOf(slot.origin)
    queue.slotsCount -= 1
    if (idleSlots.delete(slot)) queue.idle.splice(queue.idle.indexOf(slot), 1)
    // Its calls have ended: what the destroyed socket still reports has no reader.
    slot.client.destroy().catch(() => undefined)
    const [next] = queue.waiting
    if (next !== undefined) {
      queue.waiting.delete(next)
      next(open(slot.origin, queue))
    } else if (queue.slotsCount === 0) {
      queues.delete(slot.origin)
    }
  }

  const release = (slot: Slot): void => {
    const queue = queueOf(slot.origin)
    const [next] = queue.waiting
    if (next !== undefined) {
      queue.waiting.delete(next)
      next(slot)
    } else {
      queue.idle.push(slot)
      idleSlots.add(slot)
    }
  }

  return {
    /**
     * The most recently used idle slot, a new one, or the next that comes free; undefined once the signal aborts, and at once
     * where too many wait already.
     */
    acquire: async (origin: string, signal: AbortSignal): Promise<Slot | undefined> => {
      const queue = queueOf(origin)
      const idle = queue.idle.pop()
      if (idle !== undefined) {
        idleSlots.delete(idle)
        return idle
      }
      if (queue.slotsCount < options.socketsPerOriginMax) return open(origin, queue)
      return queue.waiting.size < waitingMax ? waitForSlot(queue, signal) : undefined
    },
    /** Gives a slot back whose call ended well. */
    release,
    /** Closes a slot's socket, whatever it is doing. */
    discard,
    socketsCount: (): number => slots.size,
    /** Closes every socket. */
    close: async (): Promise<void> => {
      await Promise.all([...slots].map(({ client }) => client.destroy()))
      slots.clear()
      idleSlots.clear()
      queues.clear()
    },
  }
}

export type SocketPool = ReturnType<typeof createSocketPool>
