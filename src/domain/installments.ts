import {
  addBusinessDays,
  addDays,
  type HolidayOverrides,
  type LocalDate,
  onBusinessDay,
  saoPauloDate,
} from './calendar.ts'
import { allocate, type Centavos } from './money.ts'
import type { PaymentMethod } from './payment.ts'

export const INSTALLMENTS_MAX = 12

/** One part of a payment's net and the São Paulo date from which it is available. */
export type SettlementPart = { installment: number; amount: Centavos; availableOn: LocalDate }

export type SettlementTerms = {
  method: PaymentMethod
  netAmount: Centavos
  installments: number
  paidAt: Date
  /** Pix: days to wait (0: at once). Boleto: business days. Card: days per installment. */
  settlementDays: number
  /** What administrators said about single dates. */
  holidays: HolidayOverrides
}

const availableOn = (terms: SettlementTerms, paidOn: LocalDate, installment: number): LocalDate => {
  const { method, settlementDays, holidays } = terms
  if (method === 'boleto') return addBusinessDays(paidOn, settlementDays, holidays)
  if (method === 'credit_card') return onBusinessDay(addDays(paidOn, settlementDays * installment), holidays)
  return settlementDays === 0 ? paidOn : onBusinessDay(addDays(paidOn, settlementDays), holidays)
}

/**
 * When which part of the net becomes available. Pix in one part, at once by default; boleto in one part after
 * `settlementDays` business days; cards in one part per installment, the k-th after k × `settlementDays`, moved to a
 * business day. Remainder centavos are in the first part.
 */
export const settlementSchedule = (terms: SettlementTerms): SettlementPart[] => {
  const parts = terms.method === 'credit_card' ? terms.installments : 1
  const paidOn = saoPauloDate(terms.paidAt)
  return allocate(terms.netAmount, parts).map((amount, index) => ({
    installment: index + 1,
    amount,
    availableOn: availableOn(terms, paidOn, index + 1),
  }))
}
