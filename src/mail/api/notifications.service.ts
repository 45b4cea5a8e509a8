import { userErrors } from '../../areas/users/users.errors.ts'
import { accountOf } from '../../areas/users/users.view.ts'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { NotificationsBody } from './notifications.schemas.ts'
import { notificationsView, preferencesOf } from './notifications.view.ts'

type Dependencies = { read: Pick<Reads, 'mailPreferences'>; transact: Transact; clock: Clock }

// What somebody reads is nobody else's business, an administrator's neither.
const refuseStranger = (actor: Actor, userId: string): void => {
  if (actor.userId !== userId) throw userErrors.not_found()
}

/** Which mails people get. */
export const createNotificationsService = ({ read, transact, clock }: Dependencies) => ({
  /** One's own choice. Throws user.not_found, also for somebody else's. */
  async get(actor: Actor, userId: string): Promise<NotificationsBody> {
    refuseStranger(actor, userId)
    return notificationsView(await read.mailPreferences.find(userId))
  },

  /** Replaces one's own choice. Throws user.not_found, also for somebody else's. */
  async update(
    actor: Actor,
    userId: string,
    body: NotificationsBody,
    precondition?: Precondition,
  ): Promise<NotificationsBody> {
    refuseStranger(actor, userId)
    return transact(async (tx) => {
      // Locked, so that of two changes that saw the same choice only one is made.
      const user = await tx.users.lock(userId)
      if (user === undefined) throw userErrors.not_found()
      const before = notificationsView(await tx.mailPreferences.find(userId))
      precondition?.(before)
      const now = clock.now()
      const after = preferencesOf(body)
      await tx.mailPreferences.put(userId, after, now)
      const target = { targetType: 'user', targetId: userId, ...accountOf(user) }
      await tx.audit.add({ actor, action: 'user.update_notifications', ...target, before, after: { ...body } }, now)
      return notificationsView(after)
    })
  },
})

export type NotificationsService = ReturnType<typeof createNotificationsService>
