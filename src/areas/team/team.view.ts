import { maskEmail } from '../../domain/masks.ts'
import type { AdminRole, MemberRole } from '../../domain/roles.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { User } from '../users/users.repository.ts'
import type { Invitation } from './invitations.repository.ts'

/** Somebody who was asked to join and has not yet. */
export const invitedMemberView = (invitation: Invitation) => ({
  id: invitation.id,
  email: invitation.email,
  name: invitation.name,
  role: invitation.accessRole as MemberRole,
  status: 'invited' as const,
  createdAt: toTimestamp(invitation.createdAt),
  lastLoginAt: null,
})

/** Somebody who was asked to be an administrator. */
export const adminInvitationView = (invitation: Invitation) => ({
  id: invitation.id,
  email: invitation.email,
  name: invitation.name,
  adminRole: invitation.accessRole as AdminRole,
  createdAt: toTimestamp(invitation.createdAt),
  expiresAt: toTimestamp(invitation.expiresAt),
})

/** Somebody who works for a seller, as the API shows them. */
export const teamMemberView = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.accessRole as MemberRole,
  status: 'active' as const,
  createdAt: toTimestamp(user.createdAt),
  lastLoginAt: toTimestampOrNull(user.lastLoginAt),
})

type Person = Pick<User, 'id' | 'email' | 'accessRole'>

const eventView = <Status extends 'invited' | 'active'>({ id, email, accessRole }: Person, status: Status) => ({
  id,
  email: maskEmail(email),
  role: accessRole as MemberRole,
  status,
})

/** Somebody who was asked to join, as events tell it. */
export const invitedEventView = (invitation: Person) => eventView(invitation, 'invited')

/** Somebody who works for a seller, as events tell it. */
export const memberEventView = (user: Person) => eventView(user, 'active')
