import type { Clock } from '../../clock.ts'
import { otpauthUrl, toBase32 } from '../../crypto/totp.ts'
import type { Actor } from '../../domain/actor.ts'
import { guessInSession } from '../../domain/guess.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import { authErrors } from '../../errors.ts'
import type { NewMail } from '../../mail/mails.repository.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { ProveOwner } from '../users/prove-owner.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'
import type { Actors } from './actors.ts'
import type { LoginGuard } from './login-guard.ts'
import type { Proof, SecondFactor } from './second-factor.ts'
import { totpErrors } from './totp.errors.ts'

type Dependencies = {
  read: Pick<Reads, 'users' | 'totp'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  proveOwner: ProveOwner
  secondFactor: SecondFactor
}

const ISSUER = 'Payment platform'

type Act = { actor: Actor; action: string; user: User }

const audit = (tx: Repositories, { actor, action, user }: Act, now: Date): Promise<void> => {
  return tx.audit.add({ actor, action, targetType: 'user', targetId: user.id, ...accountOf(user) }, now)
}

const changed = (user: User, change: 'enabled' | 'disabled' | 'reset', now: Date): NewMail => ({
  kind: 'second_factor_changed',
  ...accountOf(user),
  to: { userId: user.id },
  data: { change, changedAt: toTimestamp(now) },
})

const ownSession = ({ sessionId }: Actor): string[] => (sessionId === null ? [] : [sessionId])

const findOwn = async (read: Pick<Reads, 'users'>, actor: Actor, userId: string): Promise<User> => {
  const user = actor.userId === userId ? await read.users.find(userId) : undefined
  if (user === undefined) throw userErrors.not_found()
  return user
}

const lockUser = async (tx: Repositories, userId: string): Promise<User> => {
  const user = await tx.users.lock(userId)
  if (user === undefined) throw userErrors.not_found()
  return user
}

const createEnrolment = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, actors, guard, proveOwner, secondFactor } = dependencies
  return {
    /**
     * A secret for an authenticator app, without effect until a code of it is confirmed. Throws user.not_found,
     * user.password_incorrect, auth.account_locked and totp.already_enabled.
     */
    async begin(actor: Actor, userId: string, { currentPassword }: { currentPassword: string }) {
      const user = await proveOwner(actor, userId, currentPassword)
      const { secret, secretSealed } = secondFactor.newSecret()
      await transact(async (tx) => {
        const now = clock.now()
        await lockUser(tx, userId)
        if (!(await tx.totp.putPending({ userId, secretSealed, createdAt: now }))) throw totpErrors.already_enabled()
        await guard.succeed(tx, guessInSession(actor))
        await audit(tx, { actor, action: 'user.begin_totp', user }, now)
      })
      return { secret: toBase32(secret), otpauthUrl: otpauthUrl(secret, ISSUER, user.email) }
    },

    /**
     * Puts the second factor in force and answers the recovery codes, once. All other sessions end: they were opened
     * without it. Throws user.not_found, totp.not_pending and totp.code_invalid.
     */
    async confirm(actor: Actor, userId: string, { totpCode }: { totpCode: string }) {
      const user = await findOwn(read, actor, userId)
      const pending = await read.totp.find(userId)
      if (pending === undefined || pending.confirmedAt !== null) throw totpErrors.not_pending()
      const step = secondFactor.stepOf(pending.secretSealed, totpCode)
      if (step === undefined) throw totpErrors.code_invalid()
      const { codes, codeHashes } = secondFactor.newRecoveryCodes()
      const revoked = await transact(async (tx) => {
        const now = clock.now()
        await lockUser(tx, userId)
        if (!(await tx.totp.confirm(pending, step, now))) throw totpErrors.not_pending()
        await tx.totp.insertRecoveryCodes(userId, codeHashes)
        await audit(tx, { actor, action: 'user.enable_totp', user }, now)
        await tx.mails.add([changed(user, 'enabled', now)])
        return tx.authentication.revokeSessions(userId, wallClock.now(), actor.sessionId)
      })
      actors.forget(userId, [...revoked, ...ownSession(actor)])
      return { recoveryCodes: codes }
    },
  }
}

/** How people get, use up and lose their second factor. */
export const createTotpService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, actors, guard, secondFactor } = dependencies
  return {
    ...createEnrolment(dependencies),

    /** Whether an account has a second factor: one's own, or any for an administrator. Throws user.not_found. */
    async get(actor: Actor, userId: string) {
      const user = actor.role === 'admin' ? await read.users.find(userId) : await findOwn(read, actor, userId)
      if (user === undefined) throw userErrors.not_found()
      const secret = await read.totp.find(userId)
      const status = secret === undefined ? 'disabled' : secret.confirmedAt === null ? 'pending' : 'enabled'
      const recoveryCodesLeft = await read.totp.countRecoveryCodes(userId)
      return { status, enabledAt: toTimestampOrNull(secret?.confirmedAt ?? null), recoveryCodesLeft } as const
    },

    /**
     * Takes one's own second factor away, for a code of it. Throws user.not_found, totp.not_enabled, totp.code_invalid
     * and auth.account_locked: wrong codes count like failed log-ins.
     */
    async disable(actor: Actor, userId: string, proof: Proof): Promise<void> {
      const user = await findOwn(read, actor, userId)
      await guard.refuseWaiting(guessInSession(actor))
      const verdict = await transact(async (tx) => {
        const now = clock.now()
        await lockUser(tx, userId)
        const verdict = await secondFactor.check(tx, actor, proof)
        if (verdict !== 'accepted') return verdict
        await guard.succeed(tx, guessInSession(actor))
        await tx.totp.delete(userId)
        await audit(tx, { actor, action: 'user.disable_totp', user }, now)
        await tx.mails.add([changed(user, 'disabled', now)])
        return verdict
      })
      if (verdict === 'none') throw totpErrors.not_enabled()
      if (verdict === 'accepted') return actors.forget(userId, ownSession(actor))
      if (verdict === 'invalid') await guard.fail(guessInSession(actor))
      throw totpErrors.code_invalid()
    },

    /**
     * Takes the second factor of somebody who lost it away; their sessions end. Throws user.not_found,
     * totp.own_account, totp.not_enabled, and auth.forbidden for an administrator's unless an owner asks.
     */
    async reset(actor: Actor, userId: string): Promise<void> {
      // A stolen session of an administrator is no way around their own second factor.
      if (actor.userId === userId) throw totpErrors.own_account()
      const revoked = await transact(async (tx) => {
        const user = await lockUser(tx, userId)
        // Whoever could take an owner's second factor away would be half way to being one.
        if (user.role === 'admin' && actor.accessRole !== 'owner') throw authErrors.forbidden()
        if (!(await tx.totp.delete(userId))) throw totpErrors.not_enabled()
        const now = clock.now()
        await audit(tx, { actor, action: 'user.reset_totp', user }, now)
        await tx.mails.add([changed(user, 'reset', now)])
        return tx.authentication.revokeSessions(userId, wallClock.now())
      })
      actors.forget(userId, revoked)
    },
  }
}

export type TotpService = ReturnType<typeof createTotpService>
