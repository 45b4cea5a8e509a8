import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { paymentFee } from '../../domain/fees.ts'
import { settlementSchedule } from '../../domain/installments.ts'
import { add, type Bps, bps, centavos, subtract } from '../../domain/money.ts'
import { reserveFor } from '../../domain/reserve.ts'
import type { Reads } from '../../repositories.ts'
import { feeErrors } from './fees.errors.ts'
import type { SimulateFeeBody } from './fees.schemas.ts'

type Dependencies = { read: Pick<Reads, 'fees' | 'holidays' | 'reserveConfigs'>; clock: Clock }

const NO_RESERVE = bps(0)

/**
 * What a payment would cost and bring if it were paid now: for a seller with their own fee and reserve, for an
 * administrator with the fees that everyone pays. Throws fee.not_configured.
 */
export const createFeeSimulation = ({ read, clock }: Dependencies) => {
  const reserveOf = async (actor: Actor): Promise<Bps> => {
    if (actor.role === 'admin') return NO_RESERVE
    const config = await read.reserveConfigs.findBySeller(actor.sellerId)
    return config?.isActive ? config.percentage : NO_RESERVE
  }

  return async (actor: Actor, { method, amount: gross, installments = 1 }: SimulateFeeBody) => {
    const amount = centavos(gross)
    const [fee] = await read.fees.findApplicable([{ sellerId: actor.sellerId, method, installments }])
    if (fee === undefined) throw feeErrors.not_configured()
    const feeAmount = paymentFee(amount, fee)
    const netAmount = subtract(amount, feeAmount)
    const holidays = await read.holidays.findOverrides()
    const terms = { method, netAmount, installments, settlementDays: fee.settlementDays, holidays }
    const settlements = settlementSchedule({ ...terms, paidAt: clock.now() })
    const reserve = await reserveOf(actor)
    // Held back part by part as the parts become available, so rounded part by part.
    const reserveAmount = add(...settlements.map((part) => reserveFor(part.amount, reserve)))
    return { amount, feeAmount, netAmount, reserveAmount, settlements }
  }
}
