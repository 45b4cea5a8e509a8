import { z } from 'zod'
import { AMOUNT_MAX, centavos } from '../../domain/money.ts'
import { type Notification, UnreadableCallbackError } from '../provider.port.ts'

const reference = z.string().min(1).max(100)
const reason = z.string().max(200).nullable()
const endToEndId = z.string().max(32).nullable()
const amount = z.number().int().min(1).max(AMOUNT_MAX).transform(centavos)

const part = z.number().int().min(0).max(AMOUNT_MAX).transform(centavos)
const parts = z.object({ fine: part, interest: part, discount: part })

const chargeState = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['pending', 'processing', 'authorized']) }),
  z.object({ status: z.literal('paid'), paidAmount: amount, endToEndId, parts: parts.optional() }),
  z.object({ status: z.enum(['failed', 'canceled', 'expired']), reason }),
])

const payoutState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('processing') }),
  z.object({ status: z.literal('completed'), endToEndId }),
  z.object({ status: z.enum(['failed', 'returned']), reason }),
])

const refundState = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['processing', 'completed']) }),
  z.object({ status: z.literal('failed'), reason }),
])

const disputeState = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('open'),
    type: z.enum(['med', 'chargeback']),
    chargeReference: reference,
    amount,
    reason: z.string().min(1).max(200),
    respondBy: z.iso.datetime().transform((text) => new Date(text)),
  }),
  z.object({ status: z.enum(['won', 'lost', 'canceled']) }),
])

const notification = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('charge'), reference, state: chargeState }),
  z.object({ kind: z.literal('payout'), reference, state: payoutState }),
  z.object({
    kind: z.literal('refund'),
    reference,
    state: refundState,
    begun: z.object({ chargeReference: reference, amount, reason }).optional(),
  }),
  z.object({ kind: z.literal('dispute'), reference, state: disputeState }),
])

const callbackBody = z.object({ id: z.string().max(64), notifications: z.array(notification).min(1).max(100) })

/** The text of a callback. Each has an id of its own, so that saying the same thing twice is two callbacks. */
export const sandboxCallbackBody = (id: string, notifications: readonly Notification[]): string =>
  JSON.stringify({ id, notifications: notifications })

const parsedJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new UnreadableCallbackError('the body is not JSON')
  }
}

/** What a callback of the simulated acquirer says. Throws UnreadableCallbackError. */
export const parseSandboxCallback = (body: string): readonly Notification[] => {
  const parsed = callbackBody.safeParse(parsedJson(body))
  if (!parsed.success) throw new UnreadableCallbackError('the body is not a callback of the sandbox')
  return parsed.data.notifications
}
