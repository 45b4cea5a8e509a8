import { defineErrors } from '../../errors.ts'

export const holidayErrors = defineErrors('holiday', {
  not_found: [404, 'No administrator has said anything about this date.'],
})
