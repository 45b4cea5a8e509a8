import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { SELLER_ACCOUNTS } from '../../domain/ledger.ts'
import { isLastOwner } from '../../domain/roles.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import { memberEventView } from '../team/team.view.ts'
import type { EndPeople } from './end-people.ts'
import { userErrors } from './users.errors.ts'
import type { User } from './users.repository.ts'
import { audited, refuseStranger, refuseWithoutRole } from './users.rules.ts'
import { accountOf, isHolder } from './users.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  clock: Clock
  actors: Actors
  endPeople: EndPeople
}

const refuseHeldMoney = async (tx: Pick<Repositories, 'ledger'>, sellerId: string): Promise<void> => {
  const balances = await tx.ledger.findBalances(sellerId)
  if (SELLER_ACCOUNTS.some((account) => balances[account] !== 0)) throw userErrors.balance_not_zero()
}

// Behind the user's lock, as whatever gives an account money or a logo: nothing comes to one that has ended.
const endAccount = async (
  tx: Pick<Repositories, 'ledger' | 'branding'>,
  sellerId: string,
  now: Date,
): Promise<void> => {
  await refuseHeldMoney(tx, sellerId)
  await tx.branding.deleteAllOf(sellerId, now)
}

const refuseLastAdmin = async (tx: Pick<Repositories, 'users'>, userId: string): Promise<void> => {
  // Both of two administrators deleting each other wait here, and the second finds one left.
  const admins = await tx.users.lockAdmins()
  if (admins.length < 2) throw userErrors.last_administrator()
  if (isLastOwner(admins, userId)) throw userErrors.last_owner()
}

const refuseOwnerless = async (tx: Pick<Repositories, 'users'>, sellerId: string, userId: string): Promise<void> => {
  if (isLastOwner(await tx.users.lockMembers(sellerId), userId)) throw userErrors.last_owner()
}

const endBelongingsOf = async (tx: Repositories, actor: Actor, user: User, now: Date): Promise<void> => {
  if (user.role === 'admin') return refuseLastAdmin(tx, user.id)
  if (user.sellerId !== null) return refuseOwnerless(tx, user.sellerId, user.id)
  if (actor.role === 'seller' && actor.accessRole !== 'owner') throw authErrors.forbidden()
  await endBelongings(tx, user.id, now)
}

// Before the user is locked: a login of the credentials locks them first and their user second, an approval of the
// company does too.
const endBelongings = async (
  tx: Pick<
    Repositories,
    | 'integrations'
    | 'invitations'
    | 'companies'
    | 'paymentLinks'
    | 'savedCards'
    | 'sellerWebhooks'
    | 'webhookDeliveries'
  >,
  sellerId: string,
  now: Date,
): Promise<void> => {
  await tx.integrations.delete(sellerId)
  await tx.invitations.deleteAllOf(sellerId)
  await tx.companies.deleteAllOf(sellerId, now)
  await tx.paymentLinks.deleteAllOf(sellerId, now)
  await tx.savedCards.deleteAllOf(sellerId, now)
  const webhookIds = await tx.sellerWebhooks.deleteAllOf(sellerId, now)
  await tx.webhookDeliveries.cancelPending(sellerId, webhookIds, now)
}

// The account of whoever opened it ends with its team: nobody is left to be told.
const tellTeam = async (tx: Pick<Repositories, 'events'>, user: User, now: Date): Promise<void> => {
  if (user.sellerId === null) return
  await tx.events.add([{ type: 'team.removed', sellerId: user.sellerId, data: memberEventView(user) }], now)
}

/**
 * Ends an account for good: its sessions, API credentials, webhooks, payment links and companies at once. Takes the person
 * out of it. Of somebody who joined an account, only they go; with who opened it, the whole team does.
 * Throws user.not_found, user.balance_not_zero, user.last_administrator, user.last_owner and auth.forbidden.
 */
export const createDeleteUser =
  ({ read, transact, clock, actors, endPeople }: Dependencies) =>
  async (actor: Actor, userId: string): Promise<void> => {
    refuseStranger(actor, userId)
    const found = await read.users.find(userId)
    if (found === undefined) throw userErrors.not_found()
    refuseWithoutRole(actor, found, 'admin:owner')
    const ended = await transact(async (tx) => {
      const now = clock.now()
      // Administrators, and members of one account, are always locked together and in order, so that two of these never
      // wait for each other.
      await endBelongingsOf(tx, actor, found, now)
      const user = await tx.users.lock(userId)
      if (user === undefined) throw userErrors.not_found()
      if (isHolder(user)) await endAccount(tx, userId, now)
      const target = { targetType: 'user', targetId: userId, ...accountOf(user) }
      await tx.audit.add({ actor, action: 'user.delete', ...target, before: audited(user) }, now)
      await tellTeam(tx, user, now)
      const people = isHolder(user) ? await tx.users.lockMembers(userId) : [user]
      return endPeople(tx, people, now)
    })
    for (const { userId: endedId, sessionIds } of ended) actors.forget(endedId, sessionIds)
  }
