import { brCode } from '../../../src/domain/br-code.ts'
import { type Bank, findMerchant } from '../bank.ts'
import { isoOf } from '../clock.ts'
import type { Page, Period } from '../http/paging.ts'
import { invalid, notFound, violation } from '../http/problems.ts'
import { createFilter, type Listed } from '../store.ts'
import type { ChargeContent, DueChargeContent } from './charge-schemas.ts'
import { addressOf, type ChargeKind, findLocation, type Location, locationView } from './locations.ts'

/** The standard's states. There is none for an expired charge: it stays ATIVA. */
export type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'

type Row = {
  merchant_id: string
  txid: string
  kind: ChargeKind
  status: ChargeStatus
  revision: number
  location_id: number | null
  created_at: number
  requested: string
  content: string
}

type Common = {
  merchantId: string
  txid: string
  status: ChargeStatus
  revision: number
  location: Location | undefined
  createdAt: number
  /** What the first request said. */
  requested: unknown
}

export type ImmediateCharge = Common & { kind: 'cob'; content: ChargeContent }
export type DueCharge = Common & { kind: 'cobv'; content: DueChargeContent }
export type Charge = ImmediateCharge | DueCharge

// What the columns hold was parsed by its schema before it was written.
const chargeOf = (bank: Bank, row: Row): Charge =>
  ({
    merchantId: row.merchant_id,
    txid: row.txid,
    kind: row.kind,
    status: row.status,
    revision: row.revision,
    location: row.location_id === null ? undefined : findLocation(bank, row.location_id),
    createdAt: row.created_at,
    requested: JSON.parse(row.requested),
    content: JSON.parse(row.content),
  }) as Charge

export const findCharge = (bank: Bank, merchantId: string, txid: string): Charge | undefined => {
  const row = bank.store.one<Row>('SELECT * FROM charges WHERE merchant_id = ? AND txid = ?', merchantId, txid)
  return row && chargeOf(bank, row)
}

/** All charges with a txid: merchants choose them, so several may have one of the same. */
export const findChargesByTxid = (bank: Bank, txid: string): Charge[] =>
  bank.store.all<Row>('SELECT * FROM charges WHERE txid = ?', txid).map((row) => chargeOf(bank, row))

/** Throws `CobNaoEncontrado` or its like where the merchant has no such charge of this kind. */
export const getCharge = (bank: Bank, merchantId: string, kind: ChargeKind, txid: string): Charge => {
  const charge = findCharge(bank, merchantId, txid)
  if (charge?.kind === kind) return charge
  const type = kind === 'cob' ? 'CobNaoEncontrado' : 'CobVNaoEncontrada'
  throw notFound(type, 'Cobrança não encontrada para o txid informado.')
}

/** How a charge was at a revision. Throws where it never was. */
export const getChargeRevision = (bank: Bank, charge: Charge, revision: number): Charge => {
  if (revision === charge.revision) return charge
  const row = bank.store.one<{ status: ChargeStatus; content: string }>(
    'SELECT status, content FROM charge_revisions WHERE merchant_id = ? AND txid = ? AND revision = ?',
    ...[charge.merchantId, charge.txid, revision],
  )
  if (row !== undefined) return { ...charge, revision, status: row.status, content: JSON.parse(row.content) }
  const type = charge.kind === 'cob' ? 'CobConsultaInvalida' : 'CobVConsultaInvalida'
  throw invalid(type, [violation('revisao', 'O parâmetro revisao corresponde a uma revisão inexistente.')])
}

export type ChargeFilter = {
  cpf?: string | undefined
  cnpj?: string | undefined
  status?: string | undefined
  hasLocation?: boolean | undefined
}

export const listCharges = (
  bank: Bank,
  merchantId: string,
  kind: ChargeKind,
  period: Period,
  page: Page,
  by: ChargeFilter,
): Listed<Charge> => {
  const filter = createFilter()
  filter.add('merchant_id = ? AND kind = ?', merchantId, kind)
  filter.add('created_at BETWEEN ? AND ?', period.from, period.to)
  filter.add("content ->> '$.devedor.cpf' = ?", by.cpf)
  filter.add("content ->> '$.devedor.cnpj' = ?", by.cnpj)
  filter.add('status = ?', by.status)
  if (by.hasLocation !== undefined) filter.add(by.hasLocation ? 'location_id IS NOT NULL' : 'location_id IS NULL')
  const { rows, total } = bank.store.page<Row>('charges', filter, 'created_at DESC, txid', page)
  return { rows: rows.map((row) => chargeOf(bank, row)), total }
}

/** The instant after which payers' banks refuse an immediate charge. */
export const expiresAt = ({ createdAt, content }: ImmediateCharge): number =>
  createdAt + content.calendario.expiracao * 1_000

/** The merchant as charges with a due date show it. */
export const receiverView = (bank: Bank, merchantId: string): Record<string, unknown> => {
  const merchant = findMerchant(bank, merchantId)
  if (merchant === undefined) return {}
  const { street, city, state, zipCode, cnpj, name } = merchant
  return { recebedor: { logradouro: street, cidade: city, uf: state, cep: zipCode, cnpj, nome: name } }
}

/** The code that payers scan or paste. */
export const copyPasteOf = (bank: Bank, merchantId: string, location: Location): string => {
  const merchant = findMerchant(bank, merchantId)
  return brCode({
    merchantName: merchant?.name ?? '',
    merchantCity: merchant?.city ?? '',
    url: addressOf(bank, location),
  })
}

const placeView = (bank: Bank, { merchantId, location }: Charge): Record<string, unknown> =>
  location === undefined
    ? {}
    : {
        loc: locationView(bank, location),
        location: addressOf(bank, location),
        pixCopiaECola: copyPasteOf(bank, merchantId, location),
      }

/** The charge as the standard shows it. */
export const chargeView = (bank: Bank, charge: Charge): Record<string, unknown> => ({
  ...charge.content,
  calendario: { criacao: isoOf(charge.createdAt), ...charge.content.calendario },
  txid: charge.txid,
  revisao: charge.revision,
  status: charge.status,
  ...(charge.kind === 'cobv' ? receiverView(bank, charge.merchantId) : {}),
  ...placeView(bank, charge),
})
