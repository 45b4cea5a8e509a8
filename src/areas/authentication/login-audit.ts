import type { Clock } from '../../clock.ts'
import type { Repositories } from '../../repositories.ts'
import type { User } from '../users/users.repository.ts'
import { accountOf } from '../users/users.view.ts'

type Writes = Pick<Repositories, 'audit'>

/** API credentials, as they were before the log-in. */
type OfCredentials = { id: string; sellerId: string; lastUsedAt: Date | null }

const MINUTE_MS = 60_000
const minuteOf = (instant: Date): number => Math.floor(instant.getTime() / MINUTE_MS)

/** Who guesses is nobody that the platform knows, and so is whose address nobody has. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * What the audit log has of log-ins: each that opened a session, and of those that failed the ones that made the guesser
 * wait, first and each time again for twice as long. So guessing fills no disk, whoever guesses. Of servers, which may log in
 * for each request, the first log-in of a minute.
 */
export const createLoginAudit = ({ clock }: { clock: Clock }) => ({
  /** Somebody logged in: in the transaction that opens the session. */
  opened: (tx: Writes, user: User, sessionId: string): Promise<void> =>
    tx.audit.add(
      {
        actor: { userId: user.id, role: user.role },
        action: 'session.open',
        targetType: 'session',
        targetId: sessionId,
        ...accountOf(user),
      },
      clock.now(),
    ),

  /** Somebody has to wait who guessed at an account, or at an address that nobody has: the same work for both. */
  slowed: (tx: Writes, email: string, user: User | undefined, guessedAt: 'password' | 'code'): Promise<void> =>
    tx.audit.add(
      {
        actor: { userId: NOBODY, role: 'nobody' },
        action: 'session.refuse_guesser',
        targetType: 'user',
        targetId: user?.id ?? NOBODY,
        ...(user && accountOf(user)),
        after: { email, guessedAt },
      },
      clock.now(),
    ),

  /** A seller's server logged in: in the transaction that opens the session and holds the credentials. */
  async openedByCredentials(tx: Writes, { id, sellerId, lastUsedAt }: OfCredentials, sessionId: string): Promise<void> {
    const now = clock.now()
    if (lastUsedAt !== null && minuteOf(lastUsedAt) === minuteOf(now)) return
    const target = { targetType: 'session', targetId: sessionId, sellerId }
    await tx.audit.add(
      {
        actor: { userId: sellerId, role: 'seller' },
        action: 'session.open_by_credentials',
        ...target,
        after: { credentialsId: id },
      },
      now,
    )
  },

  /** Somebody has to wait who guessed at the secret of credentials. */
  slowedAtCredentials: (tx: Writes, { id, sellerId }: OfCredentials): Promise<void> =>
    tx.audit.add(
      {
        actor: { userId: NOBODY, role: 'nobody' },
        action: 'session.refuse_guesser',
        targetType: 'api_credentials',
        targetId: id,
        sellerId,
        after: { guessedAt: 'secret' },
      },
      clock.now(),
    ),
})

export type LoginAudit = ReturnType<typeof createLoginAudit>
