import type { Clock } from '../../clock.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import type { Actor } from '../../domain/actor.ts'
import { guessInSession } from '../../domain/guess.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Actors } from './actors.ts'
import type { LoginGuard } from './login-guard.ts'
import type { SecondFactor } from './second-factor.ts'

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

  return async (actor: Actor, { password, totpCode }: Proof): Promise<void> => {
    const user = await read.users.find(actor.userId)
    const { sessionId } = actor
    if (user === undefined || sessionId === null) throw authErrors.token_invalid()
    await guard.refuseWaiting(guessInSession(actor))
    const isRight = password === undefined || (await verifyPassword(user.passwordHash, password))
    const isAccepted =
      isRight &&
      (await transact(async (tx) => {
        if (password === undefined && (await secondFactor.check(tx, actor, { totpCode })) !== 'accepted') return false
        await accept(tx, actor, sessionId)
        return true
      }))
    if (!isAccepted) {
      await guard.fail(guessInSession(actor))
      throw authErrors.step_up_failed()
    }
    actors.forget(actor.userId, [sessionId])
  }
}

export type StepUp = ReturnType<typeof createStepUp>
