import type { Clock } from '../../clock.ts'
import { hashPassword, isOwnEmail, randomPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { SELLER_ACCOUNTS } from '../../domain/ledger.ts'
import { maskEmail } from '../../domain/masks.ts'
import { requestErrors } from '../../errors.ts'
import { type PageRequest, toListResponse } from '../../http/pagination.ts'
import type { Period } from '../../http/period.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import type { OpenAccount } from './open-account.ts'
import type { ProveOwner } from './prove-owner.ts'
import { userErrors } from './users.errors.ts'
import type { User, UserChanges } from './users.repository.ts'
import { memberView, userView } from './users.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  openAccount: OpenAccount
  proveOwner: ProveOwner
  /** Hashes with the server's key: for what holds a password and is kept. */
  keyedHash: (text: string) => string
}

type NewUser = {
  email: string
  password: string
  name: string
  role: User['role']
  companyName: string
  phone?: string | undefined
}
type Changes = { name: string; companyName: string; phone?: string | null | undefined; email?: string | undefined }
type PasswordChange = { currentPassword: string; newPassword: string }

// A stranger's account looks exactly like one that does not exist.
const refuseStranger = (actor: Actor, userId: string): void => {
  if (actor.role !== 'admin' && actor.userId !== userId) throw userErrors.not_found()
}

const sellerIdOf = ({ id, role }: User) => (role === 'seller' ? { sellerId: id } : {})

// No names: that of a company of one person is the person's.
const audited = ({ email, role, phone }: User) => ({ role, email: maskEmail(email), hasPhone: phone !== null })

/** What an update changed, for the audit log: the names of the fields, and the masked address when that changed. */
const auditOf = (before: User, after: User) => {
  const fields = (['name', 'companyName', 'phone', 'email'] as const).filter((name) => before[name] !== after[name])
  return {
    before: { email: maskEmail(before.email) },
    after: { email: maskEmail(after.email), changedFields: fields },
  }
}

const refuseOwnEmail = (password: string, email: string): void => {
  if (!isOwnEmail(password, email)) return
  const message = 'The password may not be the e-mail address.'
  throw requestErrors.failed({ errors: [{ in: 'body', path: 'newPassword', code: 'password_common', message }] })
}

const refuseHeldMoney = async (tx: Pick<Repositories, 'ledger'>, sellerId: string): Promise<void> => {
  const balances = await tx.ledger.findBalances(sellerId)
  if (SELLER_ACCOUNTS.some((account) => balances[account] !== 0)) throw userErrors.balance_not_zero()
}

const refuseLastAdmin = async (tx: Pick<Repositories, 'users'>): Promise<void> => {
  // Both of two administrators deleting each other wait here, and the second finds one left.
  if ((await tx.users.lockAdmins()) < 2) throw userErrors.last_administrator()
}

// Before the user is locked: a login of the credentials locks them first and their user second, an approval of the
// company does too.
const endBelongings = async (
  tx: Pick<Repositories, 'integrations' | 'companies' | 'paymentLinks' | 'sellerWebhooks' | 'webhookDeliveries'>,
  sellerId: string,
  now: Date,
): Promise<void> => {
  await tx.integrations.delete(sellerId)
  await tx.companies.deleteAllOf(sellerId, now)
  await tx.paymentLinks.deleteAllOf(sellerId, now)
  const webhookIds = await tx.sellerWebhooks.deleteAllOf(sellerId, now)
  await tx.webhookDeliveries.cancelPending(sellerId, webhookIds, now)
}

const createChangePassword =
  ({ transact, clock, wallClock, actors, guard, proveOwner }: Dependencies) =>
  async (actor: Actor, userId: string, { currentPassword, newPassword }: PasswordChange): Promise<void> => {
    const user = await proveOwner(actor, userId, currentPassword)
    refuseOwnEmail(newPassword, user.email)
    const passwordHash = await hashPassword(newPassword)
    const revoked = await transact(async (tx) => {
      const now = clock.now()
      if (!(await tx.users.updatePassword(userId, user.passwordHash, passwordHash, now))) {
        throw userErrors.password_incorrect()
      }
      await guard.succeed(tx, user.email)
      const target = { targetType: 'user', targetId: userId, ...sellerIdOf(user) }
      await tx.audit.add({ actor, action: 'user.change_password', ...target }, now)
      return tx.authentication.revokeSessions(userId, wallClock.now(), actor.sessionId)
    })
    actors.forget(userId, revoked)
  }

const createResetAdminPassword =
  ({ read, transact, clock, wallClock, actors, guard }: Dependencies) =>
  async (email: string): Promise<string | undefined> => {
    const admin = await read.users.findByEmail(email.toLowerCase())
    if (admin?.role !== 'admin') return undefined
    const password = randomPassword()
    const passwordHash = await hashPassword(password)
    const revoked = await transact(async (tx) => {
      const now = clock.now()
      await tx.users.update(admin.id, { passwordHash }, now)
      // Whoever is locked out for good may have lost the phone as well.
      const totpDisabled = await tx.totp.delete(admin.id)
      await guard.unlock(tx, admin.email)
      // Whoever has the server's shell acts, and the platform does not know them: the account stands for them.
      const actor = { userId: admin.id, role: admin.role }
      const target = { targetType: 'user', targetId: admin.id }
      await tx.audit.add({ actor, action: 'user.reset_password', ...target, after: { totpDisabled } }, now)
      return tx.authentication.revokeSessions(admin.id, wallClock.now())
    })
    actors.forget(admin.id, revoked)
    return password
  }

const createDelete =
  ({ read, transact, clock, wallClock, actors }: Dependencies) =>
  async (actor: Actor, userId: string): Promise<void> => {
    refuseStranger(actor, userId)
    const role = (await read.users.find(userId))?.role
    const revoked = await transact(async (tx) => {
      const now = clock.now()
      await endBelongings(tx, userId, now)
      // Administrators are always locked together and in order, so that two of these never wait for each other.
      if (role === 'admin') await refuseLastAdmin(tx)
      const user = await tx.users.lock(userId)
      if (user === undefined) throw userErrors.not_found()
      if (user.role === 'seller') await refuseHeldMoney(tx, userId)
      await tx.totp.delete(userId)
      await tx.users.deleteSoftly(userId, now)
      const target = { targetType: 'user', targetId: userId, ...sellerIdOf(user) }
      await tx.audit.add({ actor, action: 'user.delete', ...target, before: audited(user) }, now)
      return tx.authentication.revokeSessions(userId, wallClock.now())
    })
    actors.forget(userId, revoked)
  }

export const createUsersService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, openAccount, keyedHash } = dependencies

  return {
    /** A new account of either role. Throws user.email_taken. */
    async create(actor: Actor, { password, ...person }: NewUser, idempotency: Idempotency | undefined) {
      // The hash of the request is kept for a day: without a key, passwords could be guessed from it.
      if (idempotency) idempotency.requestHash = keyedHash(idempotency.requestHash)
      const passwordHash = await hashPassword(password)
      return once(idempotency, async (tx) => {
        const now = clock.now()
        const user = await openAccount(tx, { ...person, passwordHash }, now)
        const target = { targetType: 'user', targetId: user.id, ...sellerIdOf(user) }
        await tx.audit.add({ actor, action: 'user.create', ...target, after: audited(user) }, now)
        return userView(user)
      })
    },

    /** One's own account, or any one for an administrator, also a deleted one. Throws user.not_found. */
    async get(actor: Actor, userId: string) {
      refuseStranger(actor, userId)
      const user = await read.users.find(userId)
      if (user === undefined) throw userErrors.not_found()
      return userView(user)
    },

    /** Replaces what people say about themselves. Throws user.not_found and user.email_taken. */
    async update(actor: Actor, userId: string, { email, phone = null, ...changes }: Changes) {
      refuseStranger(actor, userId)
      const replacement: UserChanges = { ...changes, phone, ...(email === undefined ? {} : { email }) }
      return transact(async (tx) => {
        const now = clock.now()
        const before = await tx.users.lock(userId)
        const after = before && (await tx.users.update(userId, replacement, now))
        if (after === undefined) throw userErrors.not_found()
        const target = { targetType: 'user', targetId: userId, ...sellerIdOf(after) }
        await tx.audit.add({ actor, action: 'user.update', ...target, ...auditOf(before as User, after) }, now)
        return userView(after)
      })
    },

    /**
     * Ends an account for good: its sessions, API credentials, webhooks, payment links and companies at once. Takes the
     * person out of it.
     * Throws user.not_found, user.balance_not_zero and user.last_administrator.
     */
    delete: createDelete(dependencies),

    /**
     * A new password for oneself; all other sessions end. Throws user.not_found, user.password_incorrect and
     * auth.account_locked.
     */
    changePassword: createChangePassword(dependencies),

    /**
     * Gives an administrator a password that nobody chose, for whoever runs the server; their second factor and all their
     * sessions end, and a lock after wrong guesses opens. Undefined: no administrator has this address.
     */
    resetAdminPassword: createResetAdminPassword(dependencies),

    /** The administrators, newest first. */
    async listAdmins(period: Period, page: PageRequest) {
      return toListResponse(await read.users.listAdmins(period, page), page, memberView)
    },
  }
}

export type UsersService = ReturnType<typeof createUsersService>
