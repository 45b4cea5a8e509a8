import type { SecretBox } from '../../crypto/secret-box.ts'
import type { ChargeRequest, Seller } from '../../providers/provider.port.ts'
import type { Reads } from '../../repositories.ts'
import { chargeRequestOf } from './payments.charge.ts'
import type { Payment } from './payments.repository.ts'

export type CardTokens = { read: Pick<Reads, 'savedCards'>; secretBox: Pick<SecretBox, 'open'> }

export type WholeChargeRequest = (payment: Payment, seller: Seller | undefined) => Promise<ChargeRequest>

/** What the provider is asked for, with the token of the saved card where one pays: it is opened for the call alone. */
export const createWholeChargeRequest =
  ({ read, secretBox }: CardTokens): WholeChargeRequest =>
  async (payment, seller) => {
    const { sellerId, cardId: id } = payment
    if (id === null) return chargeRequestOf(payment, seller)
    const sealed = await read.savedCards.findToken({ sellerId, id })
    return chargeRequestOf(payment, seller, sealed === null ? null : secretBox.open(sealed))
  }
