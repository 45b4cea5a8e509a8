import { defineErrors } from '../../errors.ts'

export const transactionErrors = defineErrors('transaction', {
  not_found: [404, 'No transaction has this id.'],
  statement_filtered: [
    400,
    'A bank statement is of the available balance, and whole: leave out `type`, `bucket` and `direction`, or ask for CSV.',
  ],
})
