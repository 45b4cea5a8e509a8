import { createHash } from 'node:crypto'
import { boletoBarcode, boletoLine } from '../../domain/boleto.ts'
import { brCode } from '../../domain/br-code.ts'
import type { Centavos } from '../../domain/money.ts'
import type { Charge, ChargeCapability, ChargeKey, ChargeRequest, ChargeState } from '../provider.port.ts'
import { cardBehind, cardOutcome } from './sandbox.cards.ts'
import { sandboxReference } from './sandbox.ids.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'
import type { SandboxRecord } from './sandbox.repository.ts'
import { savedReference } from './sandbox.saved-cards.ts'

const BANK_CODE = '999'
const FREE_FIELD_DIGITS = 25

const freeField = (paymentId: string): string => {
  const digest = createHash('sha256').update(paymentId).digest('hex')
  return BigInt(`0x${digest}`).toString().slice(-FREE_FIELD_DIGITS).padStart(FREE_FIELD_DIGITS, '0')
}

// A code has room for letters of ASCII alone: a name without any is none.
const merchantNameOf = ({ seller }: ChargeRequest): string =>
  seller !== null && /[a-z0-9]/i.test(seller.name.normalize('NFD')) ? seller.name : 'Sandbox'

const none = { pix: null, boleto: null, card: null }

const composeCharge = (request: ChargeRequest): Charge | undefined => {
  const reference = sandboxReference(request.paymentId)
  const state: ChargeState = { status: 'pending' }
  if (request.method === 'pix') {
    const url = `pix.sandbox.invalid/v2/${request.dueTerms === null ? '' : 'cobv/'}${reference}`
    const qrCode = brCode({ merchantName: merchantNameOf(request), merchantCity: 'Sao Paulo', url })
    return { ...none, reference, state, pix: { qrCode } }
  }
  if (request.method === 'boleto') {
    const { dueDate, amount, paymentId } = request
    const barcode = boletoBarcode({ bankCode: BANK_CODE, dueDate, amount, freeField: freeField(paymentId) })
    return { ...none, reference, state, boleto: { line: boletoLine(barcode), barcode, pdfUrl: null } }
  }
  return undefined
}

const chargeStateOf = ({ status, amount, endToEndId, updatedAt }: SandboxRecord): ChargeState => {
  if (status === 'paid') return { status, paidAmount: amount, endToEndId, receivedAt: updatedAt }
  if (status === 'failed' || status === 'canceled' || status === 'expired') return { status, reason: null }
  return { status: status === 'authorized' || status === 'processing' ? status : 'pending' }
}

const chargeOf = (record: SandboxRecord): Charge => ({
  ...none,
  reference: record.reference,
  state: chargeStateOf(record),
})

/** Charges of the simulated acquirer: Pix and boletos wait for the tester, the token of a card decides at once. */
export const createSandboxCharges = ({ read, transact, clock }: SandboxDependencies): ChargeCapability => {
  const recordCharge = (request: ChargeRequest, status: ChargeState['status']) => {
    const now = clock.now()
    const reference = sandboxReference(request.paymentId)
    const record = { kind: 'charge' as const, reference, status, amount: request.amount, endToEndId: null }
    return transact((tx) => tx.sandbox.insertRecordOnce({ ...record, createdAt: now, updatedAt: now }))
  }
  const move = async (
    { paymentId }: ChargeKey,
    from: readonly string[],
    status: 'canceled' | 'paid',
    amount?: Centavos,
  ) => {
    const reference = sandboxReference(paymentId)
    return transact(async (tx) => {
      const change = { kind: 'charge' as const, reference, status, amount, updatedAt: clock.now() }
      const moved = await tx.sandbox.moveRecord(change, [...from, status])
      const record = await tx.sandbox.findRecord('charge', reference)
      return { moved, record }
    })
  }

  const outcomeOf = async ({ cardToken, requestedAt }: { cardToken: string; requestedAt: Date }) => {
    const saved = savedReference(cardToken)
    const isForgotten = saved !== undefined && !(await read.sandbox.hasCard(saved))
    return cardOutcome(isForgotten ? '' : cardToken, requestedAt)
  }

  return {
    methods: { pix: { dueDate: true }, boleto: { dueTerms: true }, credit_card: { partialCapture: true } },
    compose: composeCharge,

    async create(request) {
      const composed = composeCharge(request)
      if (request.method !== 'credit_card') {
        const record = await recordCharge(request, 'pending')
        return { outcome: 'accepted', charge: { ...chargeOf(record), ...composed, state: chargeStateOf(record) } }
      }
      const outcome = await outcomeOf(request)
      if (outcome.outcome === 'declined') return { outcome: 'refused', reason: outcome.reason }
      const record = await recordCharge(request, request.capture ? 'paid' : 'authorized')
      if (outcome.outcome === 'lost') return { outcome: 'unknown', reason: 'provider_timeout' }
      const authorizationCode = record.reference.slice(-6).toUpperCase()
      const card = { ...cardBehind(request.cardToken, request.requestedAt), authorizationCode }
      return { outcome: 'accepted', charge: { ...chargeOf(record), card } }
    },

    async get({ paymentId }) {
      const record = await read.sandbox.findRecord('charge', sandboxReference(paymentId))
      return record === undefined ? { outcome: 'missing' } : { outcome: 'found', charge: chargeOf(record) }
    },

    async cancel(key) {
      const { moved, record } = await move(key, ['pending', 'authorized'], 'canceled')
      if (moved && record) return { outcome: 'accepted', charge: chargeOf(record) }
      if (record) return { outcome: 'refused', reason: `charge_${record.status}` }
      // A composed charge has no record before it is paid: nothing is left to be ended.
      const reference = sandboxReference(key.paymentId)
      return { outcome: 'accepted', charge: { ...none, reference, state: { status: 'canceled', reason: null } } }
    },

    async capture({ amount, ...key }) {
      const { moved, record } = await move(key, ['authorized'], 'paid', amount)
      if (moved && record) return { outcome: 'accepted', charge: chargeOf(record) }
      return { outcome: 'refused', reason: record ? `charge_${record.status}` : 'charge_missing' }
    },
  }
}
