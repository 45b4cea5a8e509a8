import type { PublicLinksService } from '../areas/payment-links/public-links.service.ts'
import type { PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { AppError } from '../errors.ts'

type Dependencies = { publicLinks: Pick<PublicLinksService, 'getPayment' | 'cancelPayment'> }

const MISSING = ['payment_link.not_found', 'payment_link.deleted', 'payment.not_found']

export const isMissing = (error: unknown): boolean => error instanceof AppError && MISSING.includes(error.code)

/** Whether a payer is to be led to a payment of theirs. What was paid too little leads nowhere any more. */
export const isWorthKeeping = ({ status, statusReason }: PublicPayment): boolean =>
  ['processing', 'pending', 'paid'].includes(status) && statusReason !== 'underpaid'

/** Whether another payment of the same payer takes its place. */
export const isReplaceable = (payment: PublicPayment): boolean =>
  payment.status === 'pending' && isWorthKeeping(payment)

/** The payment that a browser has begun at a link. */
export const createOpenPayment = ({ publicLinks }: Dependencies) => {
  const find = async (hash: string, id: string | undefined): Promise<PublicPayment | undefined> => {
    if (id === undefined) return undefined
    return publicLinks.getPayment(hash, id).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
  }

  // The provider decides: what it has ended cannot be paid any more, and what was paid cannot be ended.
  const isEnded = async (hash: string, id: string): Promise<boolean> =>
    publicLinks.cancelPayment(hash, id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'payment.not_cancelable') return false
        throw error
      },
    )

  return {
    find,

    /**
     * Ends an open payment in place of which its payer begins another one. Answers it where that comes too late, because
     * it was paid: it is then the one to show. Throws payment.provider_unavailable where nobody knows.
     */
    async end(hash: string, id: string): Promise<PublicPayment | undefined> {
      const before = await find(hash, id)
      if (before === undefined || !isWorthKeeping(before)) return undefined
      if (!isReplaceable(before)) return before
      if (await isEnded(hash, id)) return undefined
      const now = await find(hash, id)
      return now && isWorthKeeping(now) ? now : undefined
    },
  }
}
