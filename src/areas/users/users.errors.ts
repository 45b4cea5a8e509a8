import { defineErrors } from '../../errors.ts'

export const userErrors = defineErrors('user', {
  not_found: [404, 'No user has this id.'],
  email_taken: [409, 'Another account has this e-mail address.'],
  balance_not_zero: [409, 'This seller still has money on the platform. It must be withdrawn or settled first.'],
  last_administrator: [409, 'This is the only administrator. Create another one first.'],
  password_incorrect: [422, 'The current password is not correct.'],
})
