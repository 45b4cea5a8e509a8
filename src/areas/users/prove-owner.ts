import { verifyPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { guessInSession } from '../../domain/guess.ts'
import type { Reads } from '../../repositories.ts'
import type { LoginGuard } from '../authentication/login-guard.ts'
import { userErrors } from './users.errors.ts'
import type { User } from './users.repository.ts'

type Dependencies = { read: Pick<Reads, 'users'>; guard: LoginGuard }

/**
 * One's own account, for whoever knows its password: a stolen access token alone does not change how people log in, and
 * is slowed down when it guesses, alone. Throws user.not_found, also for somebody else's account,
 * user.password_incorrect and auth.account_locked. The transaction that follows has to call guard.succeed with guessInSession.
 */
export const createProveOwner =
  ({ read, guard }: Dependencies) =>
  async (actor: Actor, userId: string, password: string): Promise<User> => {
    const user = actor.userId === userId ? await read.users.find(userId) : undefined
    if (user === undefined) throw userErrors.not_found()
    await guard.refuseWaiting(guessInSession(actor))
    if (await verifyPassword(user.passwordHash, password)) return user
    await guard.fail(guessInSession(actor))
    throw userErrors.password_incorrect()
  }

export type ProveOwner = ReturnType<typeof createProveOwner>
