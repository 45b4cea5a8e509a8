import { z } from 'zod'
import { add, bps, type Centavos, centavos, fromDecimal, percentOf } from '../../src/domain/money.ts'
import type { Bank } from './bank.ts'

const feeSchema = z.strictObject({
  percentage: z
    .string()
    .regex(/^\d{1,2}\.\d{2}$/)
    .default('0.00'),
  fixed: z
    .string()
    .regex(/^\d{1,10}\.\d{2}$/)
    .default('0.00'),
})

const NO_FEE = { percentage: '0.00', fixed: '0.00' }

/** What a merchant may do and pays for it. */
const termsSchema = z.strictObject({
  scopes: z.array(z.string().max(60)).max(60),
  receivedFee: feeSchema,
  payoutFee: feeSchema,
})

export const termsChange = termsSchema.partial()

export type Terms = z.infer<typeof termsSchema>
type TermsChange = z.infer<typeof termsChange>

/** The letters of Efí's reconciliation statement; AJ, a correction that tests make, is the simulator's own. */
export type MovementKind = 'PR' | 'TPR' | 'PEC' | 'PEB' | 'EPE' | 'TPE' | 'ETPE' | 'PDE' | 'PDR' | 'AJ'

export type NewMovement = {
  merchantId: string
  kind: MovementKind
  /** Signed: what the account gains. */
  amount: number
  at: number
  e2eId?: string | undefined
  txid?: string | undefined
  rtrId?: string | undefined
  /** The merchant's own id of a refund or payout. */
  reference?: string | undefined
}

export type Movement = {
  id: number
  kind: MovementKind
  amount: number
  at: number
  e2e_id: string | null
  txid: string | null
  rtr_id: string | null
  reference: string | null
}

export const feeOf = (amount: Centavos, fee: Terms['receivedFee']): Centavos =>
  add(percentOf(amount, bps(fromDecimal(fee.percentage))), fromDecimal(fee.fixed))

/** Opens the accounts of merchants that have none yet. */
export const openAccounts = ({ store, merchants }: Bank): void => {
  for (const { id } of merchants) {
    store.run("INSERT OR IGNORE INTO accounts (merchant_id, terms) VALUES (?, '{}')", id)
  }
}

/** All that the profile grants, without fees, where nobody has said otherwise. */
export const termsOf = ({ store, profile }: Bank, merchantId: string): Terms => {
  const row = store.one<{ terms: string }>('SELECT terms FROM accounts WHERE merchant_id = ?', merchantId)
  const changed: Partial<Terms> = JSON.parse(row?.terms ?? '{}')
  return { scopes: [...profile.scopes], receivedFee: NO_FEE, payoutFee: NO_FEE, ...changed }
}

export const changeTerms = ({ store }: Bank, merchantId: string, change: TermsChange): void =>
  void store.run(
    'UPDATE accounts SET terms = json_patch(terms, ?) WHERE merchant_id = ?',
    ...[JSON.stringify(change), merchantId],
  )

export const balanceOf = ({ store }: Bank, merchantId: string): Centavos => {
  const row = store.one<{ balance: number }>('SELECT balance FROM accounts WHERE merchant_id = ?', merchantId)
  return centavos(row?.balance ?? 0)
}

/** Books movements, which change the balance. What moves nothing is left out. */
export const bookMovements = ({ store }: Bank, ...movements: readonly NewMovement[]): void => {
  for (const { merchantId, kind, amount, at, e2eId, txid, rtrId, reference } of movements) {
    if (amount === 0) continue
    store.run(
      'INSERT INTO movements (merchant_id, kind, amount, at, e2e_id, txid, rtr_id, reference) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[merchantId, kind, amount, at],
      ...[e2eId ?? null, txid ?? null, rtrId ?? null, reference ?? null],
    )
    store.run('UPDATE accounts SET balance = balance + ? WHERE merchant_id = ?', amount, merchantId)
  }
}

/** The movements of a half-open period, in the order in which they happened. */
export const movementsBetween = ({ store }: Bank, merchantId: string, from: number, to: number): Movement[] =>
  store.all<Movement>(
    'SELECT * FROM movements WHERE merchant_id = ? AND at >= ? AND at < ? ORDER BY at, id',
    ...[merchantId, from, to],
  )

/** What was in the account just before an instant. */
export const balanceBefore = ({ store }: Bank, merchantId: string, at: number): Centavos => {
  const sql = 'SELECT coalesce(sum(amount), 0) AS balance FROM movements WHERE merchant_id = ? AND at < ?'
  return centavos(store.one<{ balance: number }>(sql, merchantId, at)?.balance ?? 0)
}
