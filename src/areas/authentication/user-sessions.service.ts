import type { Clock } from '../../clock.ts'
import { type PageRequest, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { authErrors } from '../../errors.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { userErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'
import type { Actors } from './actors.ts'
import type { Session } from './authentication.repository.ts'
import { sessionErrors } from './user-sessions.errors.ts'

type Dependencies = {
  read: Pick<Reads, 'users' | 'authentication'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  actors: Actors
}

const sessionView = (session: Session, currentId: string | null) => ({
  id: session.id,
  createdAt: toTimestamp(session.createdAt),
  lastUsedAt: toTimestamp(session.lastUsedAt ?? session.createdAt),
  expiresAt: toTimestamp(session.expiresAt),
  ipAddress: session.ipAddress,
  userAgent: session.userAgent,
  current: session.id === currentId,
})

// A stranger's account looks exactly like one that does not exist.
const refuseStranger = (actor: Actor, user: User): void => {
  if (actor.userId === user.id) return
  const isTheirTeam = actor.accessRole === 'owner' && accountOf(user).sellerId === actor.sellerId
  if (actor.role === 'seller' && !isTheirTeam) throw userErrors.not_found()
  if (actor.role === 'admin' && actor.accessRole !== 'owner') throw authErrors.forbidden()
}

/** Where people are logged in: oneself; owners also see and end the sessions of their team, or of everybody. */
export const createUserSessionsService = ({ read, transact, clock, wallClock, actors }: Dependencies) => {
  const findUser = async (actor: Actor, userId: string): Promise<User> => {
    const user = await read.users.find(userId)
    if (user === undefined) throw userErrors.not_found()
    refuseStranger(actor, user)
    return user
  }

  return {
    /** Throws user.not_found and auth.forbidden. */
    async list(actor: Actor, userId: string, { page }: { page: PageRequest }) {
      const { id } = await findUser(actor, userId)
      const found = await read.authentication.listSessions(id, page, wallClock.now())
      return toListResponse(found, page, (session) => sessionView(session, actor.sessionId))
    },

    /** Ends a session and all of its tokens at once. Throws user.not_found, session.not_found and auth.forbidden. */
    async end(actor: Actor, userId: string, sessionId: string): Promise<void> {
      const user = await findUser(actor, userId)
      await transact(async (tx) => {
        if (!(await tx.authentication.endSession(userId, sessionId, wallClock.now()))) throw sessionErrors.not_found()
        const target = { targetType: 'session', targetId: sessionId, ...accountOf(user) }
        await tx.audit.add({ actor, action: 'session.end', ...target, after: { userId } }, clock.now())
      })
      actors.forget(userId, [sessionId])
    },
  }
}

export type UserSessionsService = ReturnType<typeof createUserSessionsService>
