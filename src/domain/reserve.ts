import { addDays, saoPauloDate, startOfSaoPauloDay } from './calendar.ts'
import { type Bps, type Centavos, percentOf } from './money.ts'

export const RESERVE_DAYS_MIN = 1
/** The card schemes' and the Central Bank's horizon for chargebacks (Res. BCB 522/2025). */
export const RESERVE_DAYS_MAX = 180

/** What is held back of a net amount when it becomes available; half a centavo is held. The net is not negative. */
export const reserveFor = (netAmount: Centavos, percentage: Bps): Centavos => percentOf(netAmount, percentage)

/** Midnight in São Paulo, `days` (1 to 180) after the local date of the hold. Throws a RangeError out of bounds. */
export const reserveReleaseAt = (heldAt: Date, days: number): Date => {
  if (days < RESERVE_DAYS_MIN || days > RESERVE_DAYS_MAX) throw new RangeError(`not the days of a reserve: ${days}`)
  return startOfSaoPauloDay(addDays(saoPauloDate(heldAt), days))
}
