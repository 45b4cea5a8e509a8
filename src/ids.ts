import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock } from './clock.ts'

/** Makes a UUIDv7 (RFC 9562): ids of one process sort in the order in which they were made. */
export type NewId = () => string

/** Ids carry the platform's time, so that a key order is also the newest-first order of the lists. */
export const createIds = (clock: Clock): NewId => {
  let lastMs = -1
  let sequence = 0
  return () => {
    const nowMs = clock.now().getTime()
    if (nowMs > lastMs) {
      lastMs = nowMs
      // The top bit stays free: a busy millisecond counts up from here without overflow.
      sequence = randomBytes(4).readUInt32BE() >>> 1
    } else {
      sequence += 1
    }
    return v7({ msecs: lastMs, seq: sequence })
  }
}
