import { defineErrors } from '../../errors.ts'

export const receivedPixErrors = defineErrors('received_pix', {
  not_found: [404, 'No Pix was received under this end-to-end id.'],
  not_open: [409, 'Only a Pix that is open can be resolved.'],
})
