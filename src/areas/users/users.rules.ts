import type { Actor } from '../../domain/actor.ts'
import { maskEmail } from '../../domain/masks.ts'
import { meetsAny, type RoleNeeded } from '../../domain/roles.ts'
import { authErrors } from '../../errors.ts'
import { userErrors } from './users.errors.ts'
import type { User } from './users.repository.ts'

/** Throws user.not_found: a stranger's account looks exactly like one that does not exist. */
export const refuseStranger = (actor: Actor, userId: string): void => {
  if (actor.role !== 'admin' && actor.userId !== userId) throw userErrors.not_found()
}

/**
 * Throws auth.forbidden for an administrator who may not do this to somebody else. To administrators only owners may:
 * whoever could change how an owner logs in would be one.
 */
export const refuseWithoutRole = (actor: Actor, user: Pick<User, 'id' | 'role'>, needed: RoleNeeded): void => {
  if (actor.userId === user.id) return
  if (!meetsAny(actor, [user.role === 'admin' ? 'admin:owner' : needed])) throw authErrors.forbidden()
}

/** An account as the audit log shows it. No names: that of a company of one person is the person's. */
export const audited = ({ email, role, accessRole, phone }: User) => ({
  role,
  accessRole,
  email: maskEmail(email),
  hasPhone: phone !== null,
})
