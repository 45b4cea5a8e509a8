import { toTimestamp, toTimestampOrNull } from '../../http/primitives.schemas.ts'
import type { User } from './users.repository.ts'

/** A user as the API shows it. */
export const userView = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  companyName: user.companyName,
  phone: user.phone,
  approved: user.approved,
  createdAt: toTimestamp(user.createdAt),
  updatedAt: toTimestamp(user.updatedAt),
  deletedAt: toTimestampOrNull(user.deletedAt),
})

export type UserView = ReturnType<typeof userView>

/** An administrator in the list of administrators. */
export const memberView = (user: User) => {
  const { name: _name, phone: _phone, ...member } = userView(user)
  return member
}
