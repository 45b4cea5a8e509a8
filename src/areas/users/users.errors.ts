import { defineErrors } from '../../errors.ts'

export const userErrors = defineErrors('user', {
  invitation_required: [
    409,
    'Two administrators decide who becomes one. Invite them with POST /admin/members/invitations instead.',
  ],
  not_found: [404, 'No user has this id.'],
  email_taken: [409, 'Another account has this e-mail address.'],
  email_unverified: [
    403,
    'The e-mail address of this account is not verified. Open the link that was sent to it; PUT /users/{id}/email with the same address sends another.',
  ],
  balance_not_zero: [409, 'This seller still has money on the platform. It must be withdrawn or settled first.'],
  last_administrator: [409, 'This is the only administrator. Create another one first.'],
  last_owner: [409, 'Nobody else is an owner. Make somebody else one first.'],
  own_account: [409, 'Nobody blocks themselves. Another administrator has to.'],
  password_incorrect: [422, 'The current password is not correct.'],
})
