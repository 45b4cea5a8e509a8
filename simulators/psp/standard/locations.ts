import type { Bank } from '../bank.ts'
import { isoOf } from '../clock.ts'
import type { Page, Period } from '../http/paging.ts'
import { newHexId } from '../identifiers.ts'
import { createFilter, type Listed } from '../store.ts'

/** An immediate charge, or one with a due date. */
export type ChargeKind = 'cob' | 'cobv'

/** An address at which payers' banks read a charge. */
export type Location = {
  id: number
  merchant_id: string
  token: string
  kind: ChargeKind
  txid: string | null
  created_at: number
}

export const createLocation = (
  { store, clock }: Bank,
  merchantId: string,
  kind: ChargeKind,
  txid: string | null,
): Location => {
  const row = { merchant_id: merchantId, token: newHexId(), kind, txid, created_at: clock.now() }
  const id = store.insert(
    'INSERT INTO locations (merchant_id, token, kind, txid, created_at) VALUES (?, ?, ?, ?, ?)',
    ...[merchantId, row.token, kind, txid, row.created_at],
  )
  return { id, ...row }
}

export const findLocation = ({ store }: Bank, id: number): Location | undefined =>
  store.one<Location>('SELECT * FROM locations WHERE id = ?', id)

export const findLocationByToken = ({ store }: Bank, token: string): Location | undefined =>
  store.one<Location>('SELECT * FROM locations WHERE token = ?', token)

/** Puts a charge at a location, or takes it away with null. */
export const assignLocation = ({ store }: Bank, id: number, txid: string | null): void =>
  void store.run('UPDATE locations SET txid = ? WHERE id = ?', txid, id)

type LocationFilter = { isTaken?: boolean | undefined; kind?: ChargeKind | undefined }

export const listLocations = (
  { store }: Bank,
  merchantId: string,
  period: Period,
  page: Page,
  { isTaken, kind }: LocationFilter,
): Listed<Location> => {
  const filter = createFilter()
  filter.add('merchant_id = ?', merchantId)
  filter.add('created_at BETWEEN ? AND ?', period.from, period.to)
  filter.add('kind = ?', kind)
  if (isTaken !== undefined) filter.add(isTaken ? 'txid IS NOT NULL' : 'txid IS NULL')
  return store.page<Location>('locations', filter, 'created_at DESC, id DESC', page)
}

/** The address without its scheme, as the standard writes it. */
export const addressOf = ({ publicHost }: Bank, { kind, token }: Location): string =>
  `${publicHost()}${kind === 'cob' ? '/qr/v2/' : '/qr/v2/cobv/'}${token}`

export const locationView = (bank: Bank, location: Location): Record<string, unknown> => ({
  id: location.id,
  ...(location.txid === null ? {} : { txid: location.txid }),
  location: addressOf(bank, location),
  tipoCob: location.kind,
  criacao: isoOf(location.created_at),
})
