import type { Clock } from '../../clock.ts'
import type { Transact } from '../../repositories.ts'
import { type LinkUrl, paymentLinkView } from './payment-links.view.ts'

const BATCH_MAX = 100

type Dependencies = { transact: Transact; clock: Clock; linkUrl: LinkUrl }

/** Writes down which links have run out, and tells their sellers. Payers see it from the instant itself. */
export const createExpirePaymentLinks = ({ transact, clock, linkUrl }: Dependencies) => ({
  /** One batch. Answers how many expired. */
  runOnce: (): Promise<number> =>
    transact(async (tx) => {
      const now = clock.now()
      const links = await tx.paymentLinks.lockRunOut(now, BATCH_MAX)
      const expired = links.map((link) => ({ ...link, status: 'expired' as const, updatedAt: now }))
      await tx.paymentLinks.moveMany(expired.map((row, index) => ({ from: links[index]?.status ?? row.status, row })))
      const events = expired.map((link) => ({
        type: 'payment_link.expired' as const,
        sellerId: link.sellerId,
        data: paymentLinkView(link, linkUrl, now),
      }))
      await tx.events.add(events, now)
      return expired.length
    }),
})
