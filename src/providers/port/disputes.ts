import type { Readable } from 'node:stream'
import type { Centavos } from '../../domain/money.ts'
import type { Refused, Unavailable, Unknown } from './outcomes.ts'

/** What a dispute says; `chargeReference` names the charge that it is about. */
export type DisputeState =
  | {
      status: 'open'
      type: 'med' | 'chargeback'
      chargeReference: string
      amount: Centavos
      reason: string
      respondBy: Date
    }
  | { status: 'won' | 'lost' | 'canceled' }

/** A file that goes with a defence. `open` reads it from its beginning, each time. */
export type DefenseFile = { fileName: string; contentType: string; sizeBytes: number; open: () => Promise<Readable> }

/** A seller's answer to a dispute. The dispute's `reference` is its idempotency key: a dispute has one defence. */
export type DefenseRequest = { reference: string; text: string; files: readonly DefenseFile[] }

export type DefenseResult = { outcome: 'accepted' } | Refused | Unavailable | Unknown

export type DisputeCapability = {
  defend(request: DefenseRequest, signal: AbortSignal): Promise<DefenseResult>
}
