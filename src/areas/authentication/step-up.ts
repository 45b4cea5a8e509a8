import type { Clock } from '../../clock.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { guessInSession } from '../../domain/guess.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { User } from '../users/users.repository.ts'
import type { Actors } from './actors.ts'
import type { LoginGuard } from './login-guard.ts'
import type { SecondFactor, Verdict } from './second-factor.ts'

type Dependencies = {
  read: Pick<Reads, 'users'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
  guard: LoginGuard
  secondFactor: SecondFactor
}

type Proof = { password?: string | undefined; totpCode?: string | undefined }

/**
 * Lets a session do guarded acts for ten minutes, for the password or a code of the second factor. Throws
 * auth.step_up_failed and auth.account_locked: wrong ones slow this session down.
 */
export const createStepUp = ({ read, transact, clock, wallClock, actors, guard, secondFactor }: Dependencies) => {
  const accept = async (tx: Repositories, actor: Actor, sessionId: string): Promise<void> => {
    await guard.succeed(tx, guessInSession(actor))
    await tx.authentication.proveSession(sessionId, wallClock.now())
    const seller = actor.role === 'seller' ? { sellerId: actor.sellerId } : {}
    const target = { targetType: 'session', targetId: sessionId, ...seller }
    await tx.audit.add({ actor, action: 'session.step_up', ...target }, clock.now())
  }

  const judge = async (
    user: User,
    actor: Actor,
    sessionId: string,
    { password, totpCode }: Proof,
  ): Promise<Verdict> => {
    const isWrong = password !== undefined && !(await verifyPassword(user.passwordHash, password))
    if (isWrong) return 'invalid'
    return transact(async (tx) => {
      const verdict = password === undefined ? await secondFactor.check(tx, actor, { totpCode }) : 'accepted'
      if (verdict === 'accepted') await accept(tx, actor, sessionId)
      return verdict
    })
  }

  return async (actor: Actor, { password, totpCode }: Proof): Promise<void> => {
    const user = await read.users.find(actor.userId)
    const { sessionId } = actor
    if (user === undefined || sessionId === null) throw authErrors.token_invalid()
    await guard.refuseWaiting(guessInSession(actor))
    const verdict = await judge(user, actor, sessionId, { password, totpCode })
    if (verdict !== 'accepted') {
      if (verdict !== 'late') await guard.fail(guessInSession(actor))
      throw authErrors.step_up_failed()
    }
    actors.forget(actor.userId, [sessionId])
  }
}

export type StepUp = ReturnType<typeof createStepUp>
