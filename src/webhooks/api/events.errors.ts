import { defineErrors } from '../../errors.ts'

export const eventErrors = defineErrors('event', {
  not_found: [404, 'No event of the last 30 days has this id.'],
})
