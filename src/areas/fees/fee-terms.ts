import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { centavos, toBps } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import { requestErrors } from '../../errors.ts'
import type { Fee } from './fees.repository.ts'
import type { CreateFeeBody, UpdateFeeBody } from './fees.schemas.ts'

const SETTLEMENT_DAYS_DEFAULT = { pix: 0, boleto: 1, credit_card: 30 } as const satisfies Record<PaymentMethod, number>

const amountOrNull = (amount: number | null | undefined) =>
  amount === null || amount === undefined ? null : centavos(amount)

/** A new fee with the defaults of its method: without a band it covers every number of installments. */
export const newFee = (body: CreateFeeBody, id: string, now: Date): Fee => {
  const widest = body.method === 'credit_card' ? INSTALLMENTS_MAX : 1
  return {
    id,
    sellerId: body.sellerId ?? null,
    method: body.method,
    installmentsFrom: body.installmentsFrom ?? 1,
    installmentsTo: body.installmentsTo ?? widest,
    percentage: toBps(body.percentage),
    fixedAmount: centavos(body.fixedAmount),
    minAmount: amountOrNull(body.minAmount),
    maxAmount: amountOrNull(body.maxAmount),
    settlementDays: body.settlementDays ?? SETTLEMENT_DAYS_DEFAULT[body.method],
    isActive: true,
    usedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

const changesOf = (body: UpdateFeeBody): Partial<Fee> => {
  const { percentage, fixedAmount, minAmount, maxAmount, method: _method, sellerId: _sellerId, ...same } = body
  const changes = {
    ...same,
    percentage: percentage === undefined ? undefined : toBps(percentage),
    fixedAmount: fixedAmount === undefined ? undefined : centavos(fixedAmount),
    minAmount: minAmount === undefined ? undefined : amountOrNull(minAmount),
    maxAmount: maxAmount === undefined ? undefined : amountOrNull(maxAmount),
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

const fault = (path: string, message: string) =>
  requestErrors.failed({ errors: [{ in: 'body', path, code: 'custom', message }] })

// A change of one bound must fit the other one, which may be the stored one.
const requireConsistent = ({ method, installmentsFrom, installmentsTo, minAmount, maxAmount }: Fee): void => {
  if (installmentsFrom > installmentsTo) throw fault('installmentsTo', 'must not be below installmentsFrom')
  if (method !== 'credit_card' && installmentsTo > 1) {
    throw fault('installmentsTo', 'only a credit_card has more than one installment')
  }
  if (minAmount !== null && maxAmount !== null && minAmount > maxAmount) {
    throw fault('maxAmount', 'must not be below minAmount')
  }
}

/** The fee with what the body changes. Throws validation.failed where the bounds no longer fit each other. */
export const changedFee = (fee: Fee, body: UpdateFeeBody): Fee => {
  const changed = { ...fee, ...changesOf(body) }
  requireConsistent(changed)
  return changed
}
