import type { buildConnector, Client } from 'undici'
import { undici } from '../packages-on-demand.ts'

/** One socket at most, for one call at a time. `answers` counts those that the present socket has carried. */
export type Slot = { readonly client: Client; readonly origin: string; answers: number }

type Lane = { slotsCount: number; idle: Slot[]; waiting: Set<(slot: Slot) => void> }

type Options = {
  connect: buildConnector.connector
  socketsPerOriginMax: number
  /** Idle sockets of other origins are closed, oldest first, to stay below this. */
  socketsMax: number
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

const waitForSlot = (lane: Lane, signal: AbortSignal): Promise<Slot | undefined> =>
  new Promise((resolve) => {
    const give = (slot: Slot) => {
      signal.removeEventListener('abort', giveUp)
      resolve(slot)
    }
    const giveUp = () => {
      lane.waiting.delete(give)
      resolve(undefined)
    }
    lane.waiting.add(give)
    signal.addEventListener('abort', giveUp, { once: true })
  })

/**
 * Sockets by origin. undici's own pool is not used for two reasons: it does not let go of a call that is still queued
 * or connecting when its time is up, and it does not tell whether a call met a used socket or a new one.
 */
export const createSocketPool = (options: Options) => {
  const lanes = new Map<string, Lane>()
  const idleSlots = new Set<Slot>()
  const slots = new Set<Slot>()

  const laneOf = (origin: string): Lane => {
    const lane = lanes.get(origin) ?? { slotsCount: 0, idle: [], waiting: new Set() }
    lanes.set(origin, lane)
    return lane
  }

  const open = (origin: string, lane: Lane): Slot => {
    const [oldestIdle] = slots.size >= options.socketsMax ? idleSlots : []
    if (oldestIdle !== undefined) discard(oldestIdle)
    const slot: Slot = { client: createClient(origin, options), origin, answers: 0 }
    lane.slotsCount += 1
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
    const lane = laneOf(slot.origin)
    lane.slotsCount -= 1
    if (idleSlots.delete(slot)) lane.idle.splice(lane.idle.indexOf(slot), 1)
    // Its calls are settled: what the destroyed socket still reports has no reader.
    slot.client.destroy().catch(() => undefined)
    const [next] = lane.waiting
    if (next !== undefined) {
      lane.waiting.delete(next)
      next(open(slot.origin, lane))
    } else if (lane.slotsCount === 0) {
      lanes.delete(slot.origin)
    }
  }

  const release = (slot: Slot): void => {
    const lane = laneOf(slot.origin)
    const [next] = lane.waiting
    if (next !== undefined) {
      lane.waiting.delete(next)
      next(slot)
    } else {
      lane.idle.push(slot)
      idleSlots.add(slot)
    }
  }

  return {
    /** The most recently used idle slot, a new one, or the next that comes free; undefined once the signal aborts. */
    acquire: async (origin: string, signal: AbortSignal): Promise<Slot | undefined> => {
      const lane = laneOf(origin)
      const idle = lane.idle.pop()
      if (idle !== undefined) {
        idleSlots.delete(idle)
        return idle
      }
      return lane.slotsCount < options.socketsPerOriginMax ? open(origin, lane) : waitForSlot(lane, signal)
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
      lanes.clear()
    },
  }
}

export type SocketPool = ReturnType<typeof createSocketPool>
