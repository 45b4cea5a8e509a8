import { defineErrors } from '../errors.ts'

export const checkoutErrors = defineErrors('checkout', {
  cross_site: [403, 'A payment begins on the page of its link, not on another site.'],
})
