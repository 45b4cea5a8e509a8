import { z } from 'zod'
import { isPhone, stripPhone } from '../../domain/contact.ts'
import { ADMIN_ROLES, MEMBER_ROLES } from '../../domain/roles.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { givenPasswordSchema, newPasswordSchema, passwordIsNotOwn } from '../../http/password.schemas.ts'
import {
  emailSchema,
  emailView,
  idSchema,
  maskedEmailView,
  text,
  timestampView,
} from '../../http/primitives.schemas.ts'

const roleSchema = z
  .enum(['admin', 'seller'])
  .meta({ description: 'What the account may do: run the platform, or sell on it.', examples: ['seller'] })

export const adminRoleSchema = z.enum(ADMIN_ROLES).meta({
  description:
    '`owner`: everything, administrators included. `finance`: fees, reserves, withdrawals. `risk`: companies and who may use the platform. `support`: people who cannot get in. All see what `viewer` sees.',
  examples: ['finance'],
})

const phoneSchema = z
  .string()
  .max(30)
  .overwrite(stripPhone)
  .refine(isPhone, 'must be a Brazilian phone number with its area code')
  .meta({ description: 'Brazilian phone with area code. Masks and +55 are dropped.', examples: ['(11) 91234-5678'] })

/** What people say about themselves. */
export const personFields = {
  name: text(120).meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] }),
  companyName: text(120).meta({ description: 'Name of the company.', examples: ['Padaria da Maria'] }),
  phone: phoneSchema.optional(),
}

export const createUserBody = z
  .strictObject({
    email: emailSchema,
    password: newPasswordSchema,
    role: roleSchema,
    adminRole: adminRoleSchema.optional().meta({
      description:
        'What an administrator may do. Absent: everything, as an owner. Not for sellers, who own their account.',
      examples: ['finance'],
    }),
    ...personFields,
  })
  .refine(({ role, adminRole }) => role === 'admin' || adminRole === undefined, {
    path: ['adminRole'],
    message: 'only an administrator has this role; leave it out for a seller',
  })
  .meta({
    description: 'The account to make.',
    examples: [
      {
        email: 'maria@example.com',
        password: 'dois cafés e um pão na chapa',
        role: 'seller',
        name: 'Maria da Silva',
        companyName: 'Padaria da Maria',
        phone: '(11) 91234-5678',
      },
    ],
  })
  .refine(...passwordIsNotOwn)

export const updateUserBody = z.strictObject({
  ...personFields,
  phone: phoneSchema
    .nullable()
    .optional()
    .meta({ description: 'Brazilian phone with area code. Null or absent takes it away.', examples: ['11912345678'] }),
  email: emailSchema.optional().meta({
    description: 'Another e-mail address to log in with, once it was confirmed. Absent keeps the one that is.',
    examples: ['maria@example.com'],
  }),
})

export const updatePasswordBody = z.strictObject({
  currentPassword: givenPasswordSchema.meta({
    description: 'The password of the account until now.',
    examples: ['dois cafés e um pão'],
  }),
  newPassword: newPasswordSchema,
})

export const userResponse = z
  .object({
    id: idSchema,
    email: emailView.meta({ description: 'E-mail address to log in with.' }),
    name: z.string().meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] }),
    role: roleSchema,
    sellerId: idSchema.nullable().meta({
      description: 'The seller’s account that this person belongs to. Null for administrators.',
      examples: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
    }),
    accessRole: z
      .enum([...new Set([...MEMBER_ROLES, ...ADMIN_ROLES])])
      .meta({ description: 'What they may do: in the seller’s account, or as an administrator.', examples: ['owner'] }),
    companyName: z.string().meta({ description: 'Name of the company.', examples: ['Padaria da Maria'] }),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'National digits.', examples: ['11912345678'] }),
    approved: z.boolean().meta({
      description:
        'Whether the company was approved. Only then can a seller receive payments. True for administrators.',
      examples: [true],
    }),
    emailVerifiedAt: timestampView.nullable().meta({
      description: 'Since when the address is verified. Until then a seller cannot withdraw.',
    }),
    createdAt: timestampView,
    updatedAt: timestampView,
    deletedAt: timestampView
      .nullable()
      .meta({ description: 'When the account was deleted, if it was.', examples: [null] }),
  })
  .meta({ title: 'User', description: 'An account.' })

const BLOCK_REASON_MAX = 500

export const blockBody = z
  .strictObject({
    reason: text(BLOCK_REASON_MAX).meta({
      description: 'Why, for administrators and the audit log. The person is not told.',
      examples: ['Goods of this shop do not arrive.'],
    }),
  })
  .meta({ description: 'The reason of a block, or of its end.' })

export const adminUserResponse = userResponse
  .extend({
    lastLoginAt: timestampView.nullable().meta({ description: 'When they last logged in, if they did.' }),
    blockedAt: timestampView
      .nullable()
      .meta({ description: 'Since when they are blocked, if they are.', examples: [null] }),
    blockReason: z
      .string()
      .max(BLOCK_REASON_MAX)
      .nullable()
      .meta({ description: 'Why they are blocked.', examples: [null] }),
    createdBy: idSchema.nullable().meta({
      description: 'The administrator who made the account. Null: they registered, or were invited.',
      examples: [null],
    }),
  })
  .meta({ title: 'AdminUser', description: 'An account as administrators see it.' })

export const adminUsersResponse = listResponse(adminUserResponse, 'people')

export const adminUsersQuery = listQuery(
  {
    role: roleSchema
      .optional()
      .meta({ description: 'Only administrators, or only those who sell.', examples: ['seller'] }),
    isBlocked: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only those who are blocked, or only the others.', examples: ['true'] }),
    search: text(100)
      .optional()
      .meta({ description: 'Part of a name, an e-mail address or a company’s name; an id.', examples: ['maria@'] }),
  },
  { cursors: true },
)

export type AdminUsersQuery = z.output<typeof adminUsersQuery>

/** What `seller.blocked` and `seller.unblocked` tell. */
export const sellerStateResponse = z
  .object({
    sellerId: idSchema.meta({ description: 'The seller.' }),
    blockedAt: timestampView.nullable().meta({ description: 'Since when it is blocked; null: no more.' }),
  })
  .meta({ title: 'SellerState', description: 'Whether a seller may use the platform.' })

const personChange = {
  userId: idSchema.meta({ description: 'Whose.' }),
  email: maskedEmailView,
  changedAt: timestampView.meta({ description: 'Since when it is so.' }),
}

/** What `user.password_changed` tells. */
export const passwordChangedResponse = z
  .object(personChange)
  .meta({ title: 'PasswordChanged', description: 'Who of the account has a new password.' })

/** What `user.email_changed` tells. */
export const emailChangedResponse = z
  .object({
    ...personChange,
    previousEmail: maskedEmailView.meta({ description: 'The address before, masked.', examples: ['m***@example.com'] }),
  })
  .meta({ title: 'EmailChanged', description: 'Who of the account logs in with another address.' })

/** An administrator in the list of administrators. */
export const memberResponse = userResponse
  .omit({ name: true, phone: true, emailVerifiedAt: true, sellerId: true, accessRole: true })
  .meta({ title: 'Member', description: 'An administrator.' })

/** An administrator alone: also what they may do. */
export const memberWithRoleResponse = memberResponse
  .extend({ name: userResponse.shape.name, adminRole: adminRoleSchema })
  .meta({ title: 'MemberWithRole', description: 'An administrator, and what they may do.' })

export const updateMemberBody = z.strictObject({ adminRole: adminRoleSchema })
