import type { z } from 'zod'
import type { PaymentMethod } from '../../domain/payment.ts'

/** The fields of a link that depend on each other. */
type Offered = {
  amount?: number | null | undefined
  minAmount?: number | null | undefined
  maxAmount?: number | null | undefined
  methods?: readonly PaymentMethod[] | undefined
  maxInstallments?: number | undefined
}

type Fault = { path: string[]; message: string }

/** A boleto's barcode has ten digits for its amount. */
export const BOLETO_AMOUNT_MAX = 9_999_999_999

const amountFaults = ({ amount, minAmount, maxAmount }: Offered): Fault[] => {
  if (amount != null) {
    const bounds = { minAmount, maxAmount }
    return Object.entries(bounds).flatMap(([field, bound]) =>
      bound == null ? [] : [{ path: [field], message: 'is only for a link without an amount' }],
    )
  }
  const isEmpty = minAmount != null && maxAmount != null && minAmount > maxAmount
  return isEmpty ? [{ path: ['maxAmount'], message: 'is less than minAmount' }] : []
}

const methodFaults = ({ amount, minAmount, methods, maxInstallments = 1 }: Offered): Fault[] => {
  const faults: Fault[] = []
  if (new Set(methods).size < (methods?.length ?? 0))
    faults.push({ path: ['methods'], message: 'names a method twice' })
  if (maxInstallments > 1 && methods !== undefined && !methods.includes('credit_card')) {
    faults.push({ path: ['maxInstallments'], message: 'is only for links that take cards' })
  }
  const leastAmount = amount ?? minAmount ?? 0
  if (leastAmount > BOLETO_AMOUNT_MAX && (methods === undefined || methods.includes('boleto'))) {
    faults.push({
      path: [amount == null ? 'minAmount' : 'amount'],
      message: `is at most ${BOLETO_AMOUNT_MAX} for a boleto`,
    })
  }
  return faults
}

/** The rules between the fields of a link, one fault per field that breaks one. */
export const checkLinkRules = (offered: Offered, context: z.core.$RefinementCtx): void => {
  for (const { path, message } of [...amountFaults(offered), ...methodFaults(offered)]) {
    context.addIssue({ code: 'custom', path, message })
  }
}
