import type { Clock } from '../../clock.ts'
import { hashSecret } from '../../crypto/opaque-tokens.ts'
import { hashPassword, refuseGuessable } from '../../crypto/passwords.ts'
import { accountsOf } from '../../domain/guess.ts'
import type { BreachedPasswords } from '../../outbound/breached-passwords.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from '../authentication/actors.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import type { MadeUpPasswords } from '../users/made-up-passwords.ts'
import type { TellOfPassword } from '../users/tell-of-password.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'
import { LINKS_COUNTED_MS } from './link-tokens.repository.ts'
import type { Links } from './links.ts'
import { recoveryErrors } from './recovery.errors.ts'

type Dependencies = {
  read: Pick<Reads, 'linkTokens' | 'users'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  links: Links
  tellOfPassword: TellOfPassword
  breachedPasswords: BreachedPasswords
  madeUpPasswords: MadeUpPasswords
}

type Reset = { token: string; password: string }

const CLEANUP_BATCH_SIZE = 1_000

// In the order of a change of the address: the token first, then its user.
const useToken = async (tx: Repositories, tokenHash: string, now: Date): Promise<User> => {
  const token = await tx.linkTokens.use(tokenHash, ['reset_password'], now)
  const found = token && (await tx.users.findByEmail(token.email))
  const user = found && (await tx.users.lock(found.id))
  // Between the two the address may have become somebody else's.
  if (user === undefined || user.email !== token?.email) throw recoveryErrors.token_invalid()
  return user
}

/** How people who forgot their password get in again. */
export const createRecoveryService = (dependencies: Dependencies) => {
  const { read, transact, clock, wallClock, actors, guard, links, tellOfPassword } = dependencies
  const { breachedPasswords, madeUpPasswords } = dependencies
  return {
    /** Asks for a mail to an address. Nothing tells whether anybody has it, neither the answer nor the work. */
    async forgot({ email }: { email: string }): Promise<void> {
      await transact((tx) => links.sendReset(tx, email))
    },

    /**
     * A new password for whoever got the mail; all sessions end, and a lock after wrong guesses opens. A second factor
     * stays. Throws auth.token_invalid.
     */
    async reset({ token, password }: Reset): Promise<void> {
      const tokenHash = hashSecret(token)
      // Only who has a token is worth the slow hash. What is found here is judged again when it is used.
      const found = await read.linkTokens.find(tokenHash, ['reset_password'], wallClock.now())
      if (found === undefined) throw recoveryErrors.token_invalid()
      refuseGuessable(password, found, 'password')
      await madeUpPasswords.refuseKeeping(await read.users.findByEmail(found.email), password, 'password')
      await breachedPasswords.refuse(password, 'password')
      const passwordHash = await hashPassword(password)
      const { user, revoked } = await transact(async (tx) => {
        const [now, realNow] = [clock.now(), wallClock.now()]
        const user = await useToken(tx, tokenHash, realNow)
        // Whoever reads mails at an address has shown that it is theirs.
        await tx.users.update(
          user.id,
          { passwordHash, passwordExpiresAt: null, emailVerifiedAt: user.emailVerifiedAt ?? now },
          now,
        )
        await tx.linkTokens.deleteOf(user)
        await guard.forget(tx, accountsOf(user))
        const actor = { userId: user.id, role: user.role }
        const target = { targetType: 'user', targetId: user.id, ...accountOf(user) }
        await tx.audit.add({ actor, action: 'user.reset_own_password', ...target }, now)
        await tellOfPassword(tx, user, now)
        return { user, revoked: await tx.authentication.revokeSessions(user.id, realNow) }
      })
      actors.forget(user.id, revoked)
    },

    /** Forgets one batch of links that have ended and count no more. Answers how many. */
    async cleanUp(): Promise<number> {
      const counted = new Date(wallClock.now().getTime() - LINKS_COUNTED_MS)
      return transact((tx) => tx.linkTokens.deleteBefore(counted, CLEANUP_BATCH_SIZE))
    },
  }
}

export type RecoveryService = ReturnType<typeof createRecoveryService>
