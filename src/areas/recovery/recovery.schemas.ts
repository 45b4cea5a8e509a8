import { z } from 'zod'
import { newPasswordSchema } from '../../http/password.schemas.ts'
import { emailSchema } from '../../http/primitives.schemas.ts'

/** What an answer without a body sends: null would be the text `null`. */
export const NOTHING = undefined as unknown as null

const linkToken = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: 'What the link of the mail carries as `token`.',
    examples: ['9nX1cVvQp2kqW0sJr5u7yZ4tB8mE3dL6hF-aGxKoC_I'],
  })

export const forgotPasswordBody = z.strictObject({
  email: emailSchema.meta({ description: 'The address that one logs in with.', examples: ['maria@example.com'] }),
})

export const resetPasswordBody = z.strictObject({ token: linkToken, password: newPasswordSchema })

export const verifyEmailBody = z.strictObject({ token: linkToken })

export const changeEmailBody = z.strictObject({
  email: emailSchema.meta({ description: 'The address to log in with from then on.', examples: ['nova@example.com'] }),
})
