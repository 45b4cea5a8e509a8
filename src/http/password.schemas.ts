import { z } from 'zod'
import { isCommonPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../crypto/passwords.ts'

const COMMON = 'This password is among the first that guessers try. Choose another.'

// Told once: a wrong length is fault enough.
const isOfWrongLength = ({ length }: string): boolean => length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX

/** A password that somebody chooses. Kept exactly as typed: never trimmed. */
export const newPasswordSchema = z
  .string()
  .min(PASSWORD_LENGTH_MIN)
  .max(PASSWORD_LENGTH_MAX)
  .refine((password) => isOfWrongLength(password) || !isCommonPassword(password), {
    message: COMMON,
    params: { code: 'password_common' },
  })
  .meta({
    description: `From ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, none that guessers try first: common ones, words with a year or a sign, the e-mail address, one’s own name or company.`,
    examples: ['dois cafés e um pão'],
  })

/** A password that somebody claims to have. Bounded only, so that older rules keep nobody out. */
export const givenPasswordSchema = z
  .string()
  .min(1)
  .max(PASSWORD_LENGTH_MAX)
  .meta({ description: 'The password of the account.', examples: ['dois cafés e um pão'] })

type Person = {
  email?: string | undefined
  password: string
  name?: string | undefined
  companyName?: string | undefined
}

/** Of a body that says who it is: the password may not come of that. */
export const passwordIsNotOwn = [
  // What is common whoever chose it is told by the field itself.
  ({ email = '', name = '', companyName = '', password }: Person) =>
    isOfWrongLength(password) || isCommonPassword(password) || !isCommonPassword(password, [email, name, companyName]),
  { path: ['password'], message: COMMON, params: { code: 'password_common' } },
] satisfies [(body: Person) => boolean, z.core.$ZodCustomParams]
