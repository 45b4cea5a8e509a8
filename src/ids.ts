import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock } from './clock.ts'
import { NIL_UUID } from './domain/uuid.ts'

/** Makes a UUIDv7 (RFC 9562): ids of one process sort in the order in which they were made. */
export type NewId = () => string

/** Whose a repeated request is where nobody says who they are: its path, which names what they act on, tells them apart. */
export const PUBLIC_OWNER_ID = NIL_UUID

const RANDOM_BYTES_PER_ID = 16
const IDS_PER_REFILL = 256

// Asking for the randomness of many ids at once costs a fraction of asking for each.
const createRandomness = (): (() => Uint8Array) => {
  const pool = new Uint8Array(RANDOM_BYTES_PER_ID * IDS_PER_REFILL)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += RANDOM_BYTES_PER_ID
    return pool.slice(used - RANDOM_BYTES_PER_ID, used)
  }
}

/** Ids carry the platform's time, so that a key order is also the newest-first order of the lists. */
export const createIds = (clock: Clock): NewId => {
  const random = createRandomness()
  let lastMs = -1
  let sequence = 0
  return () => {
    const nowMs = clock.now().getTime()
    if (nowMs > lastMs) {
      lastMs = nowMs
      // The top bit stays free: a busy millisecond counts up from here without overflow.
      sequence = new DataView(random().buffer).getUint32(0) >>> 1
    } else {
      sequence += 1
    }
    return v7({ msecs: lastMs, seq: sequence, random: random() })
  }
}
