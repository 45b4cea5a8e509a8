import { defineErrors } from '../../errors.ts'

export const feeErrors = defineErrors('fee', {
  not_found: [404, 'No fee has this id.'],
  seller_not_found: [422, 'No seller has this sellerId. Send null for a fee that everyone pays.'],
  overlaps: [409, 'Another active fee covers some of these installments for the same method and seller.'],
  closed: [409, 'This version of the fee is closed. Change the active one, or create a new fee.'],
  scope_fixed: [422, 'A fee keeps its method and its seller. Close it and create a new one instead.'],
  not_configured: [422, 'No fee is configured for this method and number of installments. Ask the platform for one.'],
})
