import { lifecycle } from './lifecycle.ts'

export const SETTLEMENT_STATUSES = ['waiting', 'available', 'canceled'] as const
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number]

/** A part of a payment's net waits for its day. One that refunds and disputes have emptied by then is canceled. */
export const settlementLifecycle = lifecycle<SettlementStatus>('settlement', {
  waiting: ['available', 'canceled'],
  available: [],
  canceled: [],
})
