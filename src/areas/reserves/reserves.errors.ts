import { defineErrors } from '../../errors.ts'

export const reserveConfigErrors = defineErrors('reserve_config', {
  not_found: [404, 'No reserve configuration has this id.'],
})

export const reserveHoldErrors = defineErrors('reserve_hold', {
  not_found: [404, 'No reserve hold has this id.'],
  frozen: [409, 'A dispute over its payment runs: the hold stays until that is decided.'],
  not_held: [409, 'Nothing is left of this hold: it was released, or refunds and disputes took it.'],
})
