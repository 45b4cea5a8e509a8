import type { Clock } from '../../clock.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import { authErrors, requestErrors } from '../../errors.ts'
import type { User } from './users.repository.ts'

const DAY_MS = 24 * 3_600_000

type Dependencies = {
  wallClock: Clock
  /** Whether passwords that the platform makes up end. Outside production they stay, so that one can begin at once. */
  expire: boolean
}

/**
 * Passwords that the platform made up and printed: each opens its account for a day, and there nothing but the choice of
 * another, so that none becomes the password that stays (OWASP ASVS 5.0, 6.4.1).
 */
export const createMadeUpPasswords = ({ wallClock, expire }: Dependencies) => ({
  /** Until when one that is made up now is good. Null: for good. */
  endOfNew: (): Date | null => (expire ? new Date(wallClock.now().getTime() + DAY_MS) : null),

  /** Throws auth.password_expired. Only for who has shown the password. */
  refuseExpired({ passwordExpiresAt }: User): void {
    if (passwordExpiresAt !== null && passwordExpiresAt <= wallClock.now()) throw authErrors.password_expired()
  },

  /** Throws validation.failed for who would keep it. `path` names the field. Slow on purpose: never in a transaction. */
  async refuseKeeping(user: User | undefined, password: string, path: string): Promise<void> {
    if (!user?.passwordExpiresAt || !(await verifyPassword(user.passwordHash, password))) return
    const message = 'This password was made up for you. Choose another.'
    throw requestErrors.failed({ errors: [{ in: 'body', path, code: 'password_unchanged', message }] })
  },
})

export type MadeUpPasswords = ReturnType<typeof createMadeUpPasswords>
