import { toTimestamp } from '../../domain/timestamp.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from './users.repository.ts'
import { accountOf, passwordChangedView } from './users.view.ts'

/**
 * Tells that somebody's password has become another, in the transaction that does it: by mail to them, by event to the
 * seller's account they are of.
 */
export const tellOfPassword = async (
  tx: Pick<Repositories, 'mails' | 'events'>,
  user: User,
  now: Date,
): Promise<void> => {
  const account = accountOf(user)
  const data = { changedAt: toTimestamp(now) }
  await tx.mails.add([{ kind: 'password_changed', ...account, to: { userId: user.id }, data }])
  const { sellerId } = account
  if (sellerId === undefined) return
  await tx.events.add([{ type: 'user.password_changed', sellerId, data: passwordChangedView(user, now) }], now)
}

export type TellOfPassword = typeof tellOfPassword
