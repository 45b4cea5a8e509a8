import type { Clock } from '../../clock.ts'
import type { KeyedHash } from '../../crypto/opaque-tokens.ts'
import { hashPassword, randomPassword, refuseGuessable } from '../../crypto/passwords.ts'
import { type PageRequest, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { accountsOf, guessInSession } from '../../domain/guess.ts'
import { maskEmail } from '../../domain/masks.ts'
import type { Period } from '../../domain/period.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { AdminRole } from '../../domain/roles.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { BreachedPasswords } from '../../outbound/breached-passwords.ts'
import { refuseWithoutProof } from '../../recent-proof.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import type { Links } from '../recovery/links.ts'
import type { EndPeople } from './end-people.ts'
import type { MadeUpPasswords } from './made-up-passwords.ts'
import type { OpenAccount } from './open-account.ts'
import type { ProveOwner } from './prove-owner.ts'
import { tellOfPassword } from './tell-of-password.ts'
import { createDeleteUser } from './users.delete.ts'
import { userErrors } from './users.errors.ts'
import type { User, UserChanges } from './users.repository.ts'
import { audited, refuseStranger, refuseWithoutRole } from './users.rules.ts'
import type { AdminUsersQuery } from './users.schemas.ts'
import { accountOf, adminUserView, memberView, userView } from './users.view.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  openAccount: OpenAccount
  links: Pick<Links, 'sendConfirmation'>
  endPeople: EndPeople
  proveOwner: ProveOwner
  /** Hashes with the server's key: for what holds a password and is kept. */
  keyedHash: KeyedHash
  breachedPasswords: BreachedPasswords
  madeUpPasswords: MadeUpPasswords
}

type NewUser = {
  email: string
  password: string
  name: string
  role: User['role']
  adminRole?: AdminRole | undefined
  companyName: string
  phone?: string | undefined
}
type Changes = { name: string; companyName: string; phone?: string | null | undefined; email?: string | undefined }
type PasswordChange = { currentPassword: string; newPassword: string }

/** What an update changed, for the audit log: the names of the fields, and the masked address that was asked for. */
const auditOf = (before: User, after: User, askedEmail: string | undefined) => {
  const fields = (['name', 'companyName', 'phone'] as const).filter((name) => before[name] !== after[name])
  const asked = askedEmail === undefined ? {} : { askedEmail: maskEmail(askedEmail) }
  return {
    before: { email: maskEmail(before.email) },
    after: { email: maskEmail(after.email), changedFields: fields, ...asked },
  }
}

const createChangePassword =
  ({ transact, clock, wallClock, actors, guard, proveOwner, breachedPasswords, madeUpPasswords }: Dependencies) =>
  async (actor: Actor, userId: string, { currentPassword, newPassword }: PasswordChange): Promise<void> => {
    const user = await proveOwner(actor, userId, currentPassword)
    refuseGuessable(newPassword, user, 'newPassword')
    await madeUpPasswords.refuseKeeping(user, newPassword, 'newPassword')
    await breachedPasswords.refuse(newPassword, 'newPassword')
    const passwordHash = await hashPassword(newPassword)
    const revoked = await transact(async (tx) => {
      const now = clock.now()
      if (!(await tx.users.updatePassword(userId, user.passwordHash, passwordHash, now))) {
        throw userErrors.password_incorrect()
      }
      await guard.succeed(tx, guessInSession(actor))
      const target = { targetType: 'user', targetId: userId, ...accountOf(user) }
      await tx.audit.add({ actor, action: 'user.change_password', ...target }, now)
      await tellOfPassword(tx, user, now)
      return tx.authentication.revokeSessions(userId, wallClock.now(), actor.sessionId)
    })
    actors.forget(userId, actor.sessionId === null ? revoked : [...revoked, actor.sessionId])
  }

const createResetAdminPassword =
  ({ read, transact, clock, wallClock, actors, guard, madeUpPasswords }: Dependencies) =>
  async (email: string): Promise<string | undefined> => {
    const admin = await read.users.findByEmail(email.toLowerCase())
    if (admin?.role !== 'admin') return undefined
    const password = randomPassword()
    const passwordHash = await hashPassword(password)
    const revoked = await transact(async (tx) => {
      const now = clock.now()
      await tx.users.update(admin.id, { passwordHash, passwordExpiresAt: madeUpPasswords.endOfNew() }, now)
      // Whoever is locked out for good may have lost the phone as well.
      const totpDisabled = await tx.totp.delete(admin.id)
      await guard.forget(tx, accountsOf(admin))
      // Whoever has the server's shell acts, and the platform does not know them: the account stands for them.
      const actor = { userId: admin.id, role: admin.role }
      const target = { targetType: 'user', targetId: admin.id }
      await tx.audit.add({ actor, action: 'user.reset_password', ...target, after: { totpDisabled } }, now)
      await tellOfPassword(tx, admin, now)
      return tx.authentication.revokeSessions(admin.id, wallClock.now())
    })
    actors.forget(admin.id, revoked)
    return password
  }

export const createUsersService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, wallClock, openAccount, links, keyedHash, breachedPasswords } = dependencies

  /** Answers the address if it is another one than the user has. */
  const askForAddress = async (tx: Repositories, user: User, email: string | undefined) => {
    if (email === undefined || email === user.email) return undefined
    if ((await tx.users.findByEmail(email)) !== undefined) throw userErrors.email_taken()
    await links.sendConfirmation(tx, user, email)
    return email
  }

  return {
    /** A new account of either role. Throws user.email_taken, and user.invitation_required where two decide on roles. */
    async create(
      actor: Actor,
      { password, adminRole: accessRole, ...person }: NewUser,
      idempotency: Idempotency | undefined,
    ) {
      // The hash of the request is kept for a day: without a key, passwords could be guessed from it.
      if (idempotency) {
        idempotency.olderRequestHashes = keyedHash.olderOf(idempotency.requestHash)
        idempotency.requestHash = keyedHash.of(idempotency.requestHash)
      }
      await breachedPasswords.refuse(password, 'password')
      const passwordHash = await hashPassword(password)
      return once(idempotency, async (tx) => {
        const now = clock.now()
        if (person.role === 'admin' && (await tx.approvals.findPolicy()).roles) throw userErrors.invitation_required()
        const user = await openAccount(tx, { ...person, accessRole, passwordHash, createdBy: actor.userId }, now)
        const target = { targetType: 'user', targetId: user.id, ...accountOf(user) }
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

    /**
     * Replaces what people say about themselves. Another address is sent a link, and takes its place when that is opened.
     * Throws user.not_found, user.email_taken and, for another address, auth.step_up_required.
     */
    async update(
      actor: Actor,
      userId: string,
      { email, phone = null, ...changes }: Changes,
      precondition?: Precondition,
    ) {
      refuseStranger(actor, userId)
      const found = await read.users.find(userId)
      if (found === undefined) throw userErrors.not_found()
      refuseWithoutRole(actor, found, 'admin:support')
      if (email !== undefined && email !== found.email) refuseWithoutProof(actor, wallClock.now())
      const replacement: UserChanges = { ...changes, phone }
      return transact(async (tx) => {
        const now = clock.now()
        const before = await tx.users.lock(userId)
        if (before) precondition?.(userView(before))
        const after = before && (await tx.users.update(userId, replacement, now))
        if (before === undefined || after === undefined) throw userErrors.not_found()
        const target = { targetType: 'user', targetId: userId, ...accountOf(after) }
        const asked = await askForAddress(tx, before, email)
        await tx.audit.add({ actor, action: 'user.update', ...target, ...auditOf(before, after, asked) }, now)
        return userView(after)
      })
    },

    delete: createDeleteUser(dependencies),

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

    /** Everybody, newest first. */
    async listAll({ page, isBlocked, ...filter }: AdminUsersQuery) {
      const blocked = isBlocked === undefined ? {} : { isBlocked: isBlocked === 'true' }
      return toListResponse(await read.users.list({ ...filter, ...blocked }, page), page, adminUserView)
    },

    /** The administrators, newest first. */
    async listAdmins({ page, ...period }: Period & { page: PageRequest }) {
      return toListResponse(await read.users.listAdmins(period, page), page, memberView)
    },
  }
}

export type UsersService = ReturnType<typeof createUsersService>
