import { defineErrors } from '../../errors.ts'

export const withdrawalConfigErrors = defineErrors('withdrawal_config', {
  not_found: [404, 'No withdrawal configuration has this id.'],
})
