import { z } from 'zod'
import { isPhone, stripPhone } from '../../domain/contact.ts'
import { ADMIN_ROLES, MEMBER_ROLES } from '../../domain/roles.ts'
import { givenPasswordSchema, newPasswordSchema, passwordIsNotOwn } from '../../http/password.schemas.ts'
import { emailSchema, emailView, idSchema, text, timestampView } from '../../http/primitives.schemas.ts'

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

/** An administrator in the list of administrators. */
export const memberResponse = userResponse
  .omit({ name: true, phone: true, emailVerifiedAt: true, sellerId: true, accessRole: true })
  .meta({ title: 'Member', description: 'An administrator.' })

/** An administrator alone: also what they may do. */
export const memberWithRoleResponse = memberResponse
  .extend({ name: userResponse.shape.name, adminRole: adminRoleSchema })
  .meta({ title: 'MemberWithRole', description: 'An administrator, and what they may do.' })

export const updateMemberBody = z.strictObject({ adminRole: adminRoleSchema })
