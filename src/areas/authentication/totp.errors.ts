import { defineErrors } from '../../errors.ts'

export const totpErrors = defineErrors('totp', {
  already_enabled: [409, 'This account has a second factor. Disable it first.'],
  not_pending: [409, 'There is no secret that waits for its first code. Make one with POST /users/{id}/totp.'],
  not_enabled: [409, 'This account has no second factor.'],
  own_account: [409, 'Administrators disable their own second factor with a code of it.'],
  code_invalid: [422, 'This code is not of this moment, or was used before.'],
})
