import { type AppError, defineErrors } from '../../errors.ts'

export const treasuryErrors = defineErrors('treasury', {
  unavailable: [422, 'No provider of this platform pays out. Configure one.'],
  amount_exceeds_payable: [
    422,
    'The platform has not earned this much, or it is not at the provider. At most payableAmount of GET /admin/treasury.',
  ],
  provider_away: [
    503,
    'A provider did not say what lies on its account, so that nothing was paid out. Ask again shortly, with the same key.',
  ],
})

const RETRY_AFTER_MS = 5_000

/** treasury.provider_away, with when to ask again. */
export const providerAway = (retryAfterMs: number): AppError => {
  const seconds = Math.ceil(Math.max(retryAfterMs, RETRY_AFTER_MS) / 1_000)
  return treasuryErrors.provider_away({ headers: { 'retry-after': String(seconds) } })
}
