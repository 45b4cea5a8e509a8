import { defineVariant } from '../../errors.ts'

export const recoveryErrors = {
  token_invalid: defineVariant(
    'auth.token_invalid',
    400,
    'This link was used before, has expired or never existed. Ask for a new one.',
  ),
}
