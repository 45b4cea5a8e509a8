import { defineErrors } from '../../errors.ts'

export const teamErrors = defineErrors('team', {
  member_not_found: [404, 'Nobody in this team has this id.'],
  full: [422, 'A team has at most 100 people and invitations. Take somebody out first.'],
  invitation_invalid: [400, 'This invitation was used, withdrawn or replaced, or has expired. Ask for a new one.'],
  account_holder: [
    409,
    'This person opened the account and stays in it. Give them another role, or delete the account.',
  ],
})
