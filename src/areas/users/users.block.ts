import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import { userErrors } from './users.errors.ts'
import type { User } from './users.repository.ts'
import { refuseWithoutRole } from './users.rules.ts'
import { type AdminUserView, accountOf, adminUserView, isHolder, sellerStateView } from './users.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
}

const isStandingOwner = (user: User | undefined): boolean => user?.accessRole === 'owner' && user.blockedAt === null

type Locked = { user: User; people: readonly User[] }

// With who opened a seller's account everybody of it is locked, in the order of their ids, as wherever several are.
const lockWith = async (tx: Repositories, actor: Actor, { id, role, sellerId }: User): Promise<Locked> => {
  const group = role === 'admin' ? await tx.users.lockAdmins() : await tx.users.lockMembers(sellerId ?? id)
  const user = group.find((one) => one.id === id)
  if (user === undefined) throw userErrors.not_found()
  // Of two owners who block each other the second is none any more.
  if (role === 'admin' && !isStandingOwner(group.find((one) => one.id === actor.userId))) throw authErrors.forbidden()
  return { user, people: isHolder(user) ? group : [user] }
}

const tell = async (tx: Repositories, after: User, now: Date): Promise<void> => {
  const account = accountOf(after)
  const kind = after.blockedAt === null ? 'account_unblocked' : 'account_blocked'
  await tx.mails.add([{ kind, ...account, to: { userId: after.id }, data: { changedAt: toTimestamp(now) } }])
  if (!isHolder(after)) return
  const type = after.blockedAt === null ? 'seller.unblocked' : 'seller.blocked'
  await tx.events.add([{ type, sellerId: after.id, data: sellerStateView(after) }], now)
}

/**
 * Keeps people out of the platform, and lets them in again. With who opened a seller's account the whole of it stands still:
 * its team and its API credentials are logged out, it takes no new payments and nothing is paid out; what payers were asked
 * for they may still pay. Of administrators only owners decide.
 */
export const createBlockUsers = ({ read, transact, clock, wallClock, actors }: Dependencies) => {
  const find = async (actor: Actor, id: string): Promise<User> => {
    if (actor.userId === id) throw userErrors.own_account()
    const found = await read.users.find(id)
    if (found === undefined) throw userErrors.not_found()
    refuseWithoutRole(actor, found, 'admin:risk')
    return found
  }

  const audit = (tx: Repositories, actor: Actor, action: string, after: User, reason: string) =>
    tx.audit.add(
      { actor, action, targetType: 'user', targetId: after.id, ...accountOf(after), after: { reason } },
      clock.now(),
    )

  const endSessions = async (tx: Repositories, people: readonly User[]) => {
    const ended: { userId: string; sessionIds: string[] }[] = []
    for (const { id: userId } of people) {
      ended.push({ userId, sessionIds: await tx.authentication.revokeSessions(userId, wallClock.now()) })
    }
    return ended
  }

  return {
    /**
     * Ends their sessions at once. Who is blocked stays as they are. Throws user.not_found, .own_account and
     * auth.forbidden.
     */
    async block(actor: Actor, id: string, reason: string): Promise<AdminUserView> {
      const found = await find(actor, id)
      const { user, ended } = await transact(async (tx) => {
        const { user: before, people } = await lockWith(tx, actor, found)
        if (before.blockedAt !== null) return { user: before, ended: [] }
        const now = clock.now()
        const after = await tx.users.setBlocked(id, { at: now, reason }, now)
        if (after === undefined) throw userErrors.not_found()
        await audit(tx, actor, 'user.block', after, reason)
        await tell(tx, after, now)
        return { user: after, ended: await endSessions(tx, people) }
      })
      for (const { userId, sessionIds } of ended) actors.forget(userId, sessionIds)
      return adminUserView(user)
    },

    /** They log in anew. Who is not blocked stays as they are. Throws user.not_found, .own_account and auth.forbidden. */
    async unblock(actor: Actor, id: string, reason: string): Promise<AdminUserView> {
      const found = await find(actor, id)
      return transact(async (tx) => {
        const { user: before } = await lockWith(tx, actor, found)
        if (before.blockedAt === null) return adminUserView(before)
        const now = clock.now()
        const after = await tx.users.setBlocked(id, null, now)
        if (after === undefined) throw userErrors.not_found()
        await audit(tx, actor, 'user.unblock', after, reason)
        await tell(tx, after, now)
        return adminUserView(after)
      })
    },
  }
}

export type BlockUsers = ReturnType<typeof createBlockUsers>
