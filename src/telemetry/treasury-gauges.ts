import type { GaugeSource } from './gauge.ts'

/** Every provider is asked, and every account is added up: seldom enough that nobody notices. */
const ASK_AFTER_MS = 10 * 60_000

type Reading = {
  /** Null: a provider does not tell. */
  findDifference: () => Promise<number | null>
  monotonicMs: () => number
}

/** Whether the money that the books have is there. */
export const treasuryGauges = ({ findDifference, monotonicMs }: Reading): GaugeSource[] => {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let difference: number | null = null
  return [
    {
      name: 'provider_balance_difference_centavos',
      help: 'What providers hold more than the books say, as of the last ten minutes; negative: less. Absent: one does not tell.',
      read: async () => {
        if (monotonicMs() - askedAtMs >= ASK_AFTER_MS) {
          askedAtMs = monotonicMs()
          difference = await findDifference()
        }
        return difference ?? {}
      },
    },
  ]
}
