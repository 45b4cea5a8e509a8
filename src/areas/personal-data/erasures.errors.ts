import { defineErrors } from '../../errors.ts'

export const erasureErrors = defineErrors('erasure', {
  not_found: [404, 'No erasure has this id.'],
})
