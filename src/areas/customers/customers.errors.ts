import { defineErrors } from '../../errors.ts'

export const customerErrors = defineErrors('customer', {
  not_found: [404, 'No customer has this id.'],
  document_taken: [409, 'Another customer of yours has this document.'],
})
