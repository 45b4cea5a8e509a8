import { type Centavos, centavos } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import type { Page, Period } from '../http/paging.ts'
import { notFound } from '../http/problems.ts'
import { createFilter, type Listed } from '../store.ts'
import type { Charge } from './charges.ts'

type Row = {
  e2e_id: string
  merchant_id: string
  txid: string | null
  key: string
  amount: number
  components: string
  fee: number
  received_at: number
  payer_name: string
  payer_document: string
  payer_bank: string
  payer_info: string | null
}

/** Money that reached a merchant. */
export type ReceivedPix = {
  e2eId: string
  merchantId: string
  txid: string | undefined
  key: string
  amount: Centavos
  components: Record<string, unknown>
  fee: Centavos
  receivedAt: number
  payer: Payer
}

/** Who paid. `bank` is the ISPB of the payer's PSP, `info` what the payer typed. */
export type Payer = { name: string; document: string; bank: string; info?: string | undefined }

const pixOf = (row: Row): ReceivedPix => ({
  e2eId: row.e2e_id,
  merchantId: row.merchant_id,
  txid: row.txid ?? undefined,
  key: row.key,
  amount: centavos(row.amount),
  components: JSON.parse(row.components),
  fee: centavos(row.fee),
  receivedAt: row.received_at,
  payer: {
    name: row.payer_name,
    document: row.payer_document,
    bank: row.payer_bank,
    info: row.payer_info ?? undefined,
  },
})

export const findPix = ({ store }: Bank, e2eId: string): ReceivedPix | undefined => {
  const row = store.one<Row>('SELECT * FROM received_pix WHERE e2e_id = ?', e2eId)
  return row && pixOf(row)
}

/** Throws `PixNaoEncontrado` where the merchant received no such Pix. */
export const getPix = (bank: Bank, merchantId: string, e2eId: string): ReceivedPix => {
  const pix = findPix(bank, e2eId)
  if (pix?.merchantId === merchantId) return pix
  throw notFound('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
}

/** What was paid for a charge: more than one Pix, when payers were quick or a bank let it through. */
export const pixOfCharge = ({ store }: Bank, { merchantId, txid }: Charge): ReceivedPix[] =>
  store
    .all<Row>('SELECT * FROM received_pix WHERE merchant_id = ? AND txid = ? ORDER BY received_at', merchantId, txid)
    .map(pixOf)

export type PixFilter = {
  txid?: string | undefined
  hasTxid?: boolean | undefined
  hasRefund?: boolean | undefined
  document?: string | undefined
}

export const listPix = ({ store }: Bank, merchantId: string, period: Period, page: Page, by: PixFilter) => {
  const filter = createFilter()
  filter.add('merchant_id = ?', merchantId)
  filter.add('received_at BETWEEN ? AND ?', period.from, period.to)
  filter.add('txid = ?', by.txid)
  filter.add('payer_document = ?', by.document)
  if (by.hasTxid !== undefined) filter.add(by.hasTxid ? 'txid IS NOT NULL' : 'txid IS NULL')
  const refunds = 'EXISTS (SELECT 1 FROM refunds WHERE refunds.e2e_id = received_pix.e2e_id)'
  if (by.hasRefund !== undefined) filter.add(by.hasRefund ? refunds : `NOT ${refunds}`)
  const { rows, total } = store.page<Row>('received_pix', filter, 'received_at DESC, e2e_id', page)
  return { rows: rows.map(pixOf), total } satisfies Listed<ReceivedPix>
}
