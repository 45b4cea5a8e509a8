import { defineErrors } from '../../errors.ts'

export const reserveConfigErrors = defineErrors('reserve_config', {
  not_found: [404, 'No reserve configuration has this id.'],
})
