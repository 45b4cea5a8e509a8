import { maskEmail } from '../../domain/masks.ts'
import type { AdminRole } from '../../domain/roles.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { User } from './users.repository.ts'

/** The seller's account that somebody belongs to, as the audit log names it: none for an administrator. */
export const accountOf = ({ id, role, sellerId }: Pick<User, 'id' | 'role' | 'sellerId'>): { sellerId?: string } =>
  role === 'seller' ? { sellerId: sellerId ?? id } : {}

/** A user as the API shows it. */
export const userView = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  sellerId: accountOf(user).sellerId ?? null,
  accessRole: user.accessRole,
  companyName: user.companyName,
  phone: user.phone,
  approved: user.approved,
  emailVerifiedAt: toTimestampOrNull(user.emailVerifiedAt),
  createdAt: toTimestamp(user.createdAt),
  updatedAt: toTimestamp(user.updatedAt),
  deletedAt: toTimestampOrNull(user.deletedAt),
})

/** Whether somebody opened the seller's account that they belong to. */
export const isHolder = ({ role, sellerId }: Pick<User, 'role' | 'sellerId'>): boolean =>
  role === 'seller' && sellerId === null

/** A user as administrators see them. */
export const adminUserView = (user: User) => ({
  ...userView(user),
  lastLoginAt: toTimestampOrNull(user.lastLoginAt),
  blockedAt: toTimestampOrNull(user.blockedAt),
  blockReason: user.blockReason,
  createdBy: user.createdBy,
})

export type AdminUserView = ReturnType<typeof adminUserView>

/** Whether a seller may use the platform, as its events tell it: not why. */
export const sellerStateView = ({ id, blockedAt }: Pick<User, 'id' | 'blockedAt'>) => ({
  sellerId: id,
  blockedAt: toTimestampOrNull(blockedAt),
})

type Person = Pick<User, 'id' | 'email'>

/** Whose password became another, and when, as events tell it. */
export const passwordChangedView = ({ id, email }: Person, changedAt: Date) => ({
  userId: id,
  email: maskEmail(email),
  changedAt: toTimestamp(changedAt),
})

/** Whose address became another, and when, as events tell it. */
export const emailChangedView = ({ id, email: previous }: Person, email: string, changedAt: Date) => ({
  userId: id,
  email: maskEmail(email),
  previousEmail: maskEmail(previous),
  changedAt: toTimestamp(changedAt),
})

export type UserView = ReturnType<typeof userView>

/** An administrator in the list of administrators. */
export const memberView = (user: User) => {
  const {
    name: _name,
    phone: _phone,
    emailVerifiedAt: _emailVerifiedAt,
    sellerId: _sellerId,
    accessRole: _accessRole,
    ...member
  } = userView(user)
  return member
}

/** An administrator alone. */
export const memberWithRoleView = (user: User) => ({
  ...memberView(user),
  name: user.name,
  adminRole: user.accessRole as AdminRole,
})
