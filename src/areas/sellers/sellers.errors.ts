import { defineErrors } from '../../errors.ts'

export const sellerLookupErrors = defineErrors('seller', {
  not_found: [404, 'No seller has this id. A seller’s id is that of the user who opened the account.'],
})
