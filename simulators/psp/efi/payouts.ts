import type { Bank } from '../bank.ts'
import type { Page, Period } from '../http/paging.ts'
import { notFound } from '../http/problems.ts'
import { createFilter, type Listed } from '../store.ts'

export type PayoutStatus = 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'

/** Where the money goes: a Pix key, or an account. */
export type Destination = {
  chave?: string | undefined
  cpf?: string | undefined
  cnpj?: string | undefined
  contaBanco?: BankAccount | undefined
}

type BankAccount = {
  nome: string
  cpf?: string | undefined
  cnpj?: string | undefined
  codigoBanco: string
  agencia: string
  conta: string
  tipoConta: string
}

export type Payout = {
  merchant_id: string
  id: string
  e2e_id: string
  amount: number
  key: string
  payer_info: string | null
  destination: string
  requested: string
  status: PayoutStatus
  error: string | null
  requested_at: number
  settled_at: number | null
  settles_at: number | null
  settles_as: 'settle' | 'fail' | null
}

/** Money of a payout that came back. */
export type PayoutReturn = {
  rtr_id: string
  e2e_id: string
  amount: number
  reason: string | null
  returned_at: number
}

export const findPayout = ({ store }: Bank, merchantId: string, id: string): Payout | undefined =>
  store.one<Payout>('SELECT * FROM payouts WHERE merchant_id = ? AND id = ?', merchantId, id)

const found = (payout: Payout | undefined, merchantId: string, by: string): Payout => {
  if (payout?.merchant_id === merchantId) return payout
  throw notFound('PixEnviadoNaoEncontrado', `Pix enviado não encontrado para o ${by} informado.`)
}

export const getPayout = (bank: Bank, merchantId: string, id: string): Payout =>
  found(findPayout(bank, merchantId, id), merchantId, 'idEnvio')

export const getPayoutByE2eId = (bank: Bank, merchantId: string, e2eId: string): Payout =>
  found(bank.store.one<Payout>('SELECT * FROM payouts WHERE e2e_id = ?', e2eId), merchantId, 'e2eId')

export type PayoutFilter = {
  status?: string | undefined
  hasReturn?: boolean | undefined
}

export const listPayouts = ({ store }: Bank, merchantId: string, period: Period, page: Page, by: PayoutFilter) => {
  const filter = createFilter()
  filter.add('merchant_id = ?', merchantId)
  filter.add('requested_at BETWEEN ? AND ?', period.from, period.to)
  filter.add('status = ?', by.status)
  const returns = 'EXISTS (SELECT 1 FROM payout_returns WHERE payout_returns.e2e_id = payouts.e2e_id)'
  if (by.hasReturn !== undefined) filter.add(by.hasReturn ? returns : `NOT ${returns}`)
  return store.page<Payout>('payouts', filter, 'requested_at DESC, id', page) satisfies Listed<Payout>
}

export const returnsOf = ({ store }: Bank, { e2e_id }: Payout): PayoutReturn[] =>
  store.all<PayoutReturn>('SELECT * FROM payout_returns WHERE e2e_id = ? ORDER BY returned_at', e2e_id)
