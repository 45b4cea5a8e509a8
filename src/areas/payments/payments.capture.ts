import type { Actor } from '../../domain/actor.ts'
import type { Centavos } from '../../domain/money.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { ChargeResult, ChargeState } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads } from '../../repositories.ts'
import type { WriteNews } from './payments.confirm.batch.ts'
import { paymentErrors, providerAway } from './payments.errors.ts'
import type { Payment } from './payments.repository.ts'
import { type PaymentView, paymentView } from './payments.view.ts'

type Charges = NonNullable<GuardedProvider['charges']>

type Dependencies = {
  read: Pick<Reads, 'providerReferences'>
  providers: ProviderRegistry
  getRow: (sellerId: string, id: string) => Promise<Payment>
  writeNews: WriteNews
}

type Command = {
  from: readonly Payment['status'][]
  target: Payment['status']
  /** The command was done before, so that doing it again changes nothing. */
  isDone: (payment: Payment) => boolean
  ask: (charges: Charges, payment: Payment, reference: string | null) => Promise<ChargeResult>
  refusal: () => Error
}

const amountToCapture = ({ methods }: Charges, { amount }: Payment, wanted: Centavos | null): Centavos => {
  if (wanted === null || wanted === amount) return amount
  if (wanted > amount) throw paymentErrors.capture_exceeds_amount()
  if (!methods.credit_card?.partialCapture) throw paymentErrors.partial_capture_unavailable()
  return wanted
}

/** What a seller may do to a payment that is not paid. */
export const createPaymentCommands = ({ read, providers, getRow, writeNews }: Dependencies) => {
  const ask = async (charges: Charges, payment: Payment, command: Command): Promise<ChargeState> => {
    const key = { sellerId: payment.sellerId, resourceId: payment.id }
    const reference = await read.providerReferences.findByResource(payment.provider, 'charge', key)
    const result = await command.ask(charges, payment, reference)
    if (result.outcome === 'unknown') throw providerAway(null)
    if (result.outcome === 'unavailable') throw providerAway(result.retryAfterMs)
    if (result.outcome === 'refused') throw command.refusal()
    return result.charge.state
  }

  const run = async (actor: Pick<Actor, 'sellerId'>, id: string, command: Command): Promise<PaymentView> => {
    const payment = await getRow(actor.sellerId, id)
    if (command.isDone(payment)) return paymentView(payment)
    const charges = providers.find(payment.provider)?.charges
    if (!command.from.includes(payment.status) || charges === undefined) throw command.refusal()
    // The provider decides first: what it has ended cannot be paid behind our back.
    const state = await ask(charges, payment, command)
    const confirmed = await writeNews({ payment, state, reference: null })
    if (confirmed?.payment.status !== command.target) throw command.refusal()
    return paymentView(confirmed.payment)
  }

  return {
    /** Ends a payment before it is paid. Throws payment.not_found and payment.not_cancelable. */
    cancel: (actor: Pick<Actor, 'sellerId'>, id: string): Promise<PaymentView> =>
      run(actor, id, {
        from: ['pending', 'authorized'],
        target: 'canceled',
        isDone: ({ status }) => status === 'canceled',
        ask: (charges, { id: paymentId }, reference) => charges.cancel({ paymentId, reference }),
        refusal: paymentErrors.not_cancelable,
      }),

    /**
     * Takes the money of an authorized card payment: all of it, or the part that is wanted; the rest is let go. Throws
     * payment.not_found, .not_capturable, .capture_exceeds_amount and .partial_capture_unavailable.
     */
    capture: (actor: Actor, id: string, wanted: Centavos | null): Promise<PaymentView> =>
      run(actor, id, {
        from: ['authorized'],
        target: 'paid',
        isDone: ({ status, cardCapture }) => status === 'paid' && cardCapture === false,
        ask: async (charges, payment, reference) => {
          if (charges.capture === undefined) throw paymentErrors.not_capturable()
          const amount = amountToCapture(charges, payment, wanted)
          return charges.capture({ paymentId: payment.id, reference, amount })
        },
        refusal: paymentErrors.not_capturable,
      }),
  }
}
