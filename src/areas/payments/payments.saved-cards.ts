import type { SecretBox } from '../../crypto/secret-box.ts'
import type { ChargeRequest } from '../../providers/provider.port.ts'
import type { Reads } from '../../repositories.ts'
import { chargeRequestOf } from './payments.charge.ts'
import type { Payment } from './payments.repository.ts'

export type CardTokens = { read: Pick<Reads, 'savedCards'>; secretBox: Pick<SecretBox, 'open'> }

export type WholeChargeRequest = (payment: Payment) => Promise<ChargeRequest>

/** What the provider is asked for, with the token of the saved card where one pays: it is opened for the call alone. */
export const createWholeChargeRequest =
  ({ read, secretBox }: CardTokens): WholeChargeRequest =>
  async (payment) => {
    const { sellerId, cardId: id } = payment
    if (id === null) return chargeRequestOf(payment)
    const sealed = await read.savedCards.findToken({ sellerId, id })
    return chargeRequestOf(payment, sealed === null ? null : secretBox.open(sealed))
  }
