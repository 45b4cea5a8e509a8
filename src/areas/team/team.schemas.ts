import { z } from 'zod'
import { MEMBER_ROLES } from '../../domain/roles.ts'
import { pageQuery } from '../../http/list-query.schemas.ts'
import { newPasswordSchema } from '../../http/password.schemas.ts'
import {
  emailSchema,
  emailView,
  idSchema,
  maskedEmailView,
  text,
  timestampView,
} from '../../http/primitives.schemas.ts'
import { adminRoleSchema } from '../users/users.schemas.ts'

export const memberRoleSchema = z.enum(MEMBER_ROLES).meta({
  description:
    '`owner`: everything, the team included. `finance`: payments, refunds and withdrawals. `developer`: payments and webhooks. All see what `viewer` sees.',
  examples: ['finance'],
})

export const teamQuery = pageQuery({})

export const memberParams = z.strictObject({ userId: idSchema })

export const updateTeamMemberBody = z.strictObject({ role: memberRoleSchema })

const nameField = text(120).meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] })

export const inviteMemberBody = z.strictObject({ email: emailSchema, name: nameField, role: memberRoleSchema })

export const inviteAdministratorBody = z.strictObject({
  email: emailSchema,
  name: nameField,
  adminRole: adminRoleSchema,
})

export const adminInvitationResponse = z
  .object({
    id: idSchema,
    email: emailView,
    name: z.string().meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] }),
    adminRole: adminRoleSchema,
    createdAt: timestampView,
    expiresAt: timestampView.meta({ description: 'Until when it can be accepted.' }),
  })
  .meta({ title: 'AdminInvitation', description: 'An invitation to the administrators.' })

export const acceptInvitationBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'From the link in the mail, after `token=`. Good once, for seven days.',
      examples: ['9nX1cVvQp2kqW0sJr5u7yZ4tB8mE3dL6hF-aGxKoC_I'],
    }),
  name: nameField,
  password: newPasswordSchema,
})

export const teamMemberResponse = z
  .object({
    id: idSchema,
    email: emailView,
    name: z.string().meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] }),
    role: memberRoleSchema,
    status: z.enum(['invited', 'active']).meta({
      description: '`invited`: was asked by e-mail and has not accepted yet. `active`: may log in.',
      examples: ['active'],
    }),
    createdAt: timestampView,
    lastLoginAt: timestampView.nullable().meta({ description: 'When they last logged in, if they did.' }),
  })
  .meta({ title: 'TeamMember', description: 'Somebody who works for a seller.' })

/** What the events of the team tell. */
export const teamEventResponse = teamMemberResponse
  .pick({ id: true, role: true, status: true })
  .extend({ email: maskedEmailView })
  .meta({ title: 'TeamChange', description: 'Who was invited to the team of a seller, joined it or left it.' })
