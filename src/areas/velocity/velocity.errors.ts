import { defineErrors } from '../../errors.ts'

export const velocityErrors = defineErrors('velocity', {
  exceeded: [
    429,
    'Too many cards were declined here. Wait until the time in Retry-After and try again, or pay another way.',
  ],
})
