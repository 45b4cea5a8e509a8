import { z } from 'zod'
import { isPhone, stripPhone } from '../../domain/contact.ts'
import { givenPasswordSchema, newPasswordSchema, passwordIsNotEmail } from '../../http/password.schemas.ts'
import { emailSchema, idSchema, text, timestampView } from '../../http/primitives.schemas.ts'

const roleSchema = z
  .enum(['admin', 'seller'])
  .meta({ description: 'What the account may do: run the platform, or sell on it.', examples: ['seller'] })

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
  .strictObject({ email: emailSchema, password: newPasswordSchema, role: roleSchema, ...personFields })
  .refine(...passwordIsNotEmail)

export const updateUserBody = z.strictObject({
  ...personFields,
  phone: phoneSchema
    .nullable()
    .optional()
    .meta({ description: 'Brazilian phone with area code. Null or absent takes it away.', examples: ['11912345678'] }),
  email: emailSchema
    .optional()
    .meta({ description: 'New e-mail address to log in with. Absent keeps it.', examples: ['maria@example.com'] }),
})

export const updatePasswordBody = z.strictObject({
  currentPassword: givenPasswordSchema.meta({
    description: 'The password of the account until now.',
    examples: ['dois cafés e um pão'],
  }),
  newPassword: newPasswordSchema,
})

export const userResponse = z.object({
  id: idSchema,
  email: z.string().meta({ description: 'E-mail address to log in with.', examples: ['maria@example.com'] }),
  name: z.string().meta({ description: 'Full name of the person.', examples: ['Maria da Silva'] }),
  role: roleSchema,
  companyName: z.string().meta({ description: 'Name of the company.', examples: ['Padaria da Maria'] }),
  phone: z
    .string()
    .nullable()
    .meta({ description: 'National digits.', examples: ['11912345678'] }),
  approved: z.boolean().meta({
    description: 'Whether the company was approved. Only then can a seller receive payments. True for administrators.',
    examples: [true],
  }),
  createdAt: timestampView,
  updatedAt: timestampView,
  deletedAt: timestampView
    .nullable()
    .meta({ description: 'When the account was deleted, if it was.', examples: [null] }),
})

/** An administrator in the list of administrators. */
export const memberResponse = userResponse.omit({ name: true, phone: true })
