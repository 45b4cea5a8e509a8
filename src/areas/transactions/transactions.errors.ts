import { defineErrors } from '../../errors.ts'

export const transactionErrors = defineErrors('transaction', {
  not_found: [404, 'No transaction has this id.'],
})
