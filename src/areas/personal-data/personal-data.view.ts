import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { PersonalDataQueries, Records } from './personal-data.queries.ts'

type RowOf<Name extends keyof PersonalDataQueries> =
  Awaited<ReturnType<PersonalDataQueries[Name]>> extends Records<infer Row> ? Row : never

export const sessionView = (row: RowOf<'listSessions'>) => ({
  id: row.id,
  kind: row.kind,
  scopes: row.scopes,
  createdAt: toTimestamp(row.createdAt),
  expiresAt: toTimestamp(row.expiresAt),
  revokedAt: toTimestampOrNull(row.revokedAt),
})

export const webhookView = (row: RowOf<'listWebhooks'>) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  status: row.status,
  createdAt: toTimestamp(row.createdAt),
  deletedAt: toTimestampOrNull(row.deletedAt),
})

export const withdrawalView = (row: RowOf<'listWithdrawals'>) => ({
  id: row.id,
  amount: row.amount,
  pixKeyType: row.pixKeyType,
  pixKey: row.pixKey,
  description: row.description,
  status: row.status,
  endToEndId: row.endToEndId,
  requestedAt: toTimestamp(row.requestedAt),
  completedAt: toTimestampOrNull(row.completedAt),
})

const cardView = (row: RowOf<'listCustomerPayments'>) =>
  row.cardLast4 === null
    ? null
    : { brand: row.cardBrand, last4: row.cardLast4, expMonth: row.cardExpMonth, expYear: row.cardExpYear }

/** A payment by what it tells of its payer. */
export const payerPaymentView = (row: RowOf<'listCustomerPayments'>) => ({
  id: row.id,
  method: row.method,
  status: row.status,
  amount: row.amount,
  customer: row.customer,
  card: cardView(row),
  endToEndId: row.pixEndToEndId,
  description: row.description,
  externalReference: row.externalReference,
  metadata: row.metadata,
  createdAt: toTimestamp(row.createdAt),
})

/** The newest records of a kind, and how many there are in all. */
export const recordsView = <Row, View>({ totalRecords, rows }: Records<Row>, view: (row: Row) => View) => ({
  totalRecords,
  data: rows.map(view),
})

/** A list that holds all that there is of a kind. */
export const allView = <Row, View>(rows: readonly Row[], view: (row: Row) => View) => ({
  totalRecords: rows.length,
  data: rows.map(view),
})

/** Anything told at a time, as answers have it. */
export const toldView = <Row extends { createdAt: Date }>({ createdAt, ...row }: Row) => ({
  ...row,
  createdAt: toTimestamp(createdAt),
})
