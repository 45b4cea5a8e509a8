import { z } from 'zod'
import { isCommonPassword, isOwnEmail, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../crypto/passwords.ts'

const COMMON = 'This password is among the first that guessers try. Choose another.'

/** A password that somebody chooses. Kept exactly as typed: never trimmed. */
export const newPasswordSchema = z
  .string()
  .min(PASSWORD_LENGTH_MIN)
  .max(PASSWORD_LENGTH_MAX)
  .refine((password) => !isCommonPassword(password), { message: COMMON, params: { code: 'password_common' } })
  .meta({
    description: `From ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, not among the commonest passwords and not the e-mail address.`,
    examples: ['dois cafés e um pão'],
  })

/** A password that somebody claims to have. Bounded only, so that older rules keep nobody out. */
export const givenPasswordSchema = z
  .string()
  .min(1)
  .max(PASSWORD_LENGTH_MAX)
  .meta({ description: 'The password of the account.', examples: ['dois cafés e um pão'] })

/** Of a body with both: the password may not be the address. */
export const passwordIsNotEmail = [
  ({ email, password }: { email: string; password: string }) => !isOwnEmail(password, email),
  { path: ['password'], message: 'The password may not be the e-mail address.', params: { code: 'password_common' } },
] satisfies [(body: { email: string; password: string }) => boolean, z.core.$ZodCustomParams]
