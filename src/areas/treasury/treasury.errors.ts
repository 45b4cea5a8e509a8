import { defineErrors } from '../../errors.ts'

export const treasuryErrors = defineErrors('treasury', {
  unavailable: [422, 'No provider of this platform pays out. Configure one.'],
  amount_exceeds_payable: [
    422,
    'The platform has not earned this much, or it is not at the provider. At most payableAmount of GET /admin/treasury.',
  ],
})
