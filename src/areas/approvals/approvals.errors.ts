import { defineErrors } from '../../errors.ts'

export const approvalErrors = defineErrors('approval', {
  not_found: [404, 'No approval has this id.'],
  not_pending: [409, 'This was decided before.'],
  not_possible: [409, 'What was proposed can no longer be done. Reject it, or repeat this when it can.'],
  same_person: [
    409,
    'Nobody decides on what they proposed themselves, nor on the money of a seller whose account they made or whose company they approved. Another administrator has to.',
  ],
  first_day: [403, 'New administrators may not approve money on their first day. Another administrator may.'],
})
