import { defineErrors } from '../../errors.ts'

export const disputeErrors = defineErrors('dispute', {
  not_found: [404, 'No dispute has this id.'],
  file_not_found: [404, 'The defence of this dispute has no such file.'],
  not_open: [409, 'Only an open dispute takes a defence, and only one.'],
  defense_too_late: [409, 'The time to answer this dispute has passed.'],
})
