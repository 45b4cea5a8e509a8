import type { Clock } from '../../clock.ts'
import type { Transact } from '../../repositories.ts'
import { type Delivery, type NotificationHandlers, routeNotifications } from '../notification-routing.ts'
import { type PixReader, reading } from './pix.callbacks.ts'

type Dependencies = {
  name: string
  reader: Pick<PixReader, 'newsOfInfractions'>
  transact: Transact
  handlers: NotificationHandlers
  clock: Clock
}

/** Looks through the claims of the last months for those that are new or decided, which a lost callback would hide. */
export const createReadInfractions = ({ name, reader, transact, handlers, clock }: Dependencies) => ({
  /** Once through all. Answers for how many something changed. */
  async runOnce(): Promise<number> {
    const news = await reading(reader.newsOfInfractions())
    if (news.outcome === 'unknown') return 0
    let changedCount = 0
    for (const notification of news.notifications) {
      const outcome = await transact(async (tx) => {
        const delivery: Delivery = { provider: name, notification }
        await routeNotifications(tx, [delivery], { handlers, now: clock.now() })
        return delivery.outcome
      })
      if (outcome?.status === 'processed') changedCount += 1
    }
    return changedCount
  },
})
