import { defineErrors } from '../../errors.ts'

export const sessionErrors = defineErrors('session', {
  not_found: [404, 'This user has no open session with this id.'],
})
