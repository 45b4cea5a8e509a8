import type { Actor } from '../../domain/actor.ts'
import type { ChargeResult, ChargeState } from '../../providers/provider.port.ts'
import type { GuardedProvider, ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads } from '../../repositories.ts'
import type { WriteOutcome } from './payments.charge.ts'
import { paymentErrors } from './payments.errors.ts'
import type { Payment } from './payments.repository.ts'
import { type PaymentView, paymentView } from './payments.view.ts'

type Dependencies = {
  read: Pick<Reads, 'providerReferences'>
  providers: ProviderRegistry
  getRow: (sellerId: string, id: string) => Promise<Payment>
  writeOutcome: WriteOutcome
}

type Command = {
  from: readonly Payment['status'][]
  target: Payment['status']
  /** The command was done before, so that doing it again changes nothing. */
  isDone: (payment: Payment) => boolean
  ask: (provider: GuardedProvider, payment: Payment, reference: string | null) => Promise<ChargeResult>
  refusal: () => Error
}

/** What a seller may do to a payment that is not paid. */
export const createPaymentCommands = ({ read, providers, getRow, writeOutcome }: Dependencies) => {
  const ask = async (provider: GuardedProvider, payment: Payment, command: Command): Promise<ChargeState> => {
    const key = { sellerId: payment.sellerId, resourceId: payment.id }
    const reference = await read.providerReferences.findByResource(payment.provider, 'charge', key)
    const result = await command.ask(provider, payment, reference)
    if (result.outcome === 'unknown') throw paymentErrors.provider_unavailable({ headers: { 'retry-after': '5' } })
    if (result.outcome === 'refused') throw command.refusal()
    return result.charge.state
  }

  const run = async (actor: Actor, id: string, command: Command): Promise<PaymentView> => {
    const payment = await getRow(actor.userId, id)
    if (command.isDone(payment)) return paymentView(payment)
    const provider = providers.find(payment.provider)
    if (!command.from.includes(payment.status) || provider === undefined) throw command.refusal()
    // The provider decides first: what it has ended cannot be paid behind our back.
    const state = await ask(provider, payment, command)
    const applied = await writeOutcome({ payment, state, reference: null })
    if (applied?.payment.status !== command.target) throw command.refusal()
    return paymentView(applied.payment)
  }

  return {
    /** Ends a payment before it is paid. Throws payment.not_found and payment.not_cancelable. */
    cancel: (actor: Actor, id: string): Promise<PaymentView> =>
      run(actor, id, {
        from: ['pending', 'authorized'],
        target: 'canceled',
        isDone: ({ status }) => status === 'canceled',
        ask: (provider, { id: paymentId }, reference) => provider.cancelCharge({ paymentId, reference }),
        refusal: paymentErrors.not_cancelable,
      }),

    /** Takes the money of an authorized card payment. Throws payment.not_found and payment.not_capturable. */
    capture: (actor: Actor, id: string): Promise<PaymentView> =>
      run(actor, id, {
        from: ['authorized'],
        target: 'paid',
        isDone: ({ status, cardCapture }) => status === 'paid' && cardCapture === false,
        ask: (provider, { id: paymentId }, reference) => provider.captureCharge({ paymentId, reference }),
        refusal: paymentErrors.not_capturable,
      }),
  }
}
