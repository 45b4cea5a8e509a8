import type { Clock } from '../../clock.ts'
import type { DueTerms } from '../../domain/due-terms.ts'
import type {
  Charge,
  ChargeCapability,
  ChargeKey,
  ChargeLookup,
  ChargeRequest,
  ChargeResult,
  ChargeState,
  Refused,
} from '../provider.port.ts'
import type { ChargeTexts } from './api/charge-parts.ts'
import type { PixCharge } from './api/charges.ts'
import type { DuePixCharge } from './api/due-charges.ts'
import type { Outcome } from './api/outcome.ts'
import type { PixApi } from './api/pix-api.ts'
import { dueValueOf } from './pix.due-terms.ts'
import { namedTxid, pixId } from './pix.ids.ts'
import { partsOf } from './pix.news.ts'
import { lookupFailure, settleWrite, unknownOf } from './pix.outcomes.ts'

type Dependencies = { api: Pick<PixApi, 'charges' | 'dueCharges'>; key: string; clock: Clock }

type Kept = PixCharge | DuePixCharge
type Kind = Pick<PixApi['charges'] | PixApi['dueCharges'], 'get' | 'remove'>

/** What was paid first stands for the charge; whatever came beside it is told as money that was received. */
const stateOf = ({ status, received }: Kept): ChargeState => {
  const [first] = [...received].sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
  if (first) {
    const { amount: paidAmount, endToEndId, components, receivedAt } = first
    return { status: 'paid', paidAmount, endToEndId, parts: partsOf(components), receivedAt }
  }
  if (status === 'removed' || status === 'removed_by_psp') return { status: 'canceled', reason: null }
  // Of one that is paid and does not say by which Pix, the list of received ones will.
  return { status: 'pending' }
}

const chargeOf = (kept: Kept): Charge => ({
  reference: kept.txid,
  state: stateOf(kept),
  pix: kept.qrCode === null ? null : { qrCode: kept.qrCode },
  boleto: null,
  card: null,
})

const DIFFERS: Refused = { outcome: 'refused', reason: 'pix_txid_of_another_charge' }

const acceptedOf = ({ amount }: Pick<ChargeRequest, 'amount'>, kept: Kept): ChargeResult => {
  if (kept.amount !== amount) return DIFFERS
  if (kept.qrCode === null) return unknownOf('pix_code_missing')
  return { outcome: 'accepted', charge: chargeOf(kept) }
}

// A charge that is asked for again may have been paid meanwhile, and only a read of it says by which Pix.
const withWhatPaid = async (kept: Kept, read: () => Promise<Outcome<Kept>>): Promise<Kept> => {
  if (kept.status !== 'paid' || kept.received.length > 0) return kept
  const result = await read()
  return result.kind === 'ok' ? result.value : kept
}

/** Texts for the payer have their bounds at the PSP. */
const MESSAGE_MAX = 140
const DETAIL_MAX = 200

type PixRequest = Extract<ChargeRequest, { method: 'pix' }>

// The key that is paid is the platform's, so that a payer's bank shows only its name: whom it is for stands beside it.
const detailsOf = ({ seller }: ChargeRequest): ChargeTexts['details'] => {
  if (seller === null) return undefined
  const company = seller.document === null ? [] : [{ name: 'CNPJ do vendedor', value: seller.document }]
  return [{ name: 'Vendedor', value: seller.name.slice(0, DETAIL_MAX) }, ...company]
}

const textsOf = (request: ChargeRequest): ChargeTexts => ({
  message: request.description?.slice(0, MESSAGE_MAX),
  details: detailsOf(request),
})

const payerOf = ({ payer }: ChargeRequest): { name: string; document: string } | undefined =>
  payer?.document ? { name: payer.name, document: payer.document } : undefined

const txidOf = ({ reference, paymentId }: ChargeKey): string => reference ?? pixId(paymentId)

/**
 * Charges by the Central Bank's API, each under a txid that follows from its request or its payment, so that a repeat finds
 * the same one.
 */
export const createPixCharges = ({ api, key, clock }: Dependencies): ChargeCapability => {
  const putImmediate = (request: PixRequest, signal: AbortSignal): Promise<Outcome<Kept>> | Refused => {
    const expiresInSeconds = Math.floor((request.expiresAt.getTime() - clock.now().getTime()) / 1_000)
    if (expiresInSeconds < 1) return { outcome: 'refused', reason: 'payment_expired' }
    const input = { amount: request.amount, expiresInSeconds, key, payer: payerOf(request), ...textsOf(request) }
    return api.charges.put(txidOf(request), input, { signal })
  }

  const putDue = (request: PixRequest, terms: DueTerms, signal: AbortSignal): Promise<Outcome<Kept>> | Refused => {
    const payer = payerOf(request)
    if (payer === undefined) return { outcome: 'refused', reason: 'payer_without_document' }
    const { dueDate, payableDaysAfterDue } = terms
    const value = dueValueOf(request.amount, terms)
    const input = { value, dueDate, payableDaysAfterDue, key, payer, ...textsOf(request) }
    return api.dueCharges.put(txidOf(request), input, { signal })
  }

  const create = async (request: PixRequest, signal: AbortSignal): Promise<ChargeResult> => {
    const { dueTerms } = request
    const kind: Kind = dueTerms === null ? api.charges : api.dueCharges
    const result = await (dueTerms === null ? putImmediate(request, signal) : putDue(request, dueTerms, signal))
    if ('outcome' in result) return result
    const read = (): Promise<Outcome<Kept>> => kind.get(txidOf(request), { signal })
    if (result.kind === 'ok') return acceptedOf(request, await withWhatPaid(result.value, read))
    return settleWrite(result, read, (kept) => acceptedOf(request, kept))
  }

  // A txid is of one kind or the other, and only the PSP remembers of which.
  const kinds: readonly Kind[] = [api.charges, api.dueCharges]

  const read = async (asked: ChargeKey, signal: AbortSignal) => {
    const txid = txidOf(asked)
    let result: Outcome<Kept> = { kind: 'missing', problem: null }
    let from: Kind = api.charges
    for (const kind of kinds) {
      from = kind
      result = await kind.get(txid, { signal })
      if (result.kind !== 'missing') break
    }
    return { txid, kind: from, result }
  }

  const removed = (kept: Kept): ChargeResult => {
    const charge = chargeOf(kept)
    if (charge.state.status === 'canceled') return { outcome: 'accepted', charge }
    const isPaid = charge.state.status === 'paid' || kept.status === 'paid'
    return isPaid ? { outcome: 'refused', reason: 'charge_paid' } : unknownOf('pix_charge_still_active')
  }

  return {
    methods: { pix: { dueDate: true } },
    referenceOf: namedTxid,

    create: async (request, signal) =>
      request.method === 'pix' ? create(request, signal) : { outcome: 'refused', reason: 'method_not_served' },

    async get(asked, signal): Promise<ChargeLookup> {
      const { result } = await read(asked, signal)
      return result.kind === 'ok' ? { outcome: 'found', charge: chargeOf(result.value) } : lookupFailure(result)
    },

    async cancel(asked, signal): Promise<ChargeResult> {
      const { txid, kind, result } = await read(asked, signal)
      if (result.kind === 'missing') return { outcome: 'refused', reason: 'charge_missing' }
      if (result.kind !== 'ok') return settleWrite(result, () => kind.get(txid, { signal }), removed)
      if (result.value.status !== 'active') return removed(result.value)
      const answer = await kind.remove(txid, { signal })
      if (answer.kind === 'ok') return removed(answer.value)
      // A payer may have been faster, which the PSP refuses in one way or another.
      return settleWrite(answer, () => kind.get(txid, { signal }), removed)
    },
  }
}
