import type { Answer, TestApp } from './app.ts'
import { BULK_ROWS, type BulkOwners, bulkTag, bulkTime } from './bulk.ts'
import { adminToken, registerSeller, type Seller } from './factories.ts'
import { type OpenapiDocument, type Operation, operationsOf } from './openapi-document.ts'
import { newWebhook } from './webhooks.ts'

/** A list of the API and what it may be narrowed by. */
export type List = {
  name: string
  path: string
  filters: string[]
  /** The orders that it can be had in, the usual one first. */
  sorts: string[]
  hasCursors: boolean
  isForAdmins: boolean
}

const PAGING: ReadonlySet<string> = new Set(['page', 'perPage', 'cursor', 'sort'])

const namesOf = ({ parameters = [] }: Operation): string[] =>
  parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)

const sortsOf = ({ name, parameters = [] }: Operation): string[] => {
  const { enum: names, default: usual } = parameters.find((one) => one.name === 'sort')?.schema ?? {}
  if (names === undefined || !names.includes(usual)) throw new Error(`${name} does not say how it is sorted`)
  return [usual, ...names.filter((sort) => sort !== usual)] as string[]
}

/** Every list of the API: what the document says may be paged through. */
export const listsOf = (document: OpenapiDocument): List[] =>
  operationsOf(document)
    .filter((operation) => operation.method === 'GET' && namesOf(operation).includes('page'))
    .map((operation) => ({
      name: operation.operationId ?? operation.name,
      path: operation.path,
      filters: namesOf(operation).filter((name) => !PAGING.has(name)),
      sorts: sortsOf(operation),
      hasCursors: namesOf(operation).includes('cursor'),
      isForAdmins: operation.path.startsWith('/api/v1/admin/'),
    }))

/** One narrowing of a list: the query fields that are sent. */
export type Narrowing = Record<string, string>

const MIDDLE = BULK_ROWS / 2
const STATUSES: Record<string, readonly string[]> = {
  '/payments': ['paid', 'expired', 'in_dispute'],
  '/withdrawals': ['completed', 'failed', 'pending_approval'],
  '/companies': ['approved', 'awaiting_approval', 'suspended'],
  '/enterprises': ['approved', 'awaiting_approval', 'suspended'],
  '/provider-events': ['processed', 'ignored', 'failed'],
  '/deliveries': ['succeeded', 'failed', 'pending'],
  '/refunds': ['completed', 'failed', 'processing'],
  '/disputes': ['won', 'lost', 'open'],
  '/payment-links': ['active', 'inactive', 'completed'],
  '/reserve-holds': ['released', 'held', 'frozen'],
  '/seller-webhooks': ['enabled', 'paused', 'disabled'],
  '/approvals': ['approved', 'rejected', 'pending'],
  '/reconciliations': ['balanced', 'exceptions', 'running'],
  '/reconciliation-exceptions': ['open', 'resolved'],
  '/received-pix': ['booked', 'open', 'refunding'],
}

const KINDS: Record<string, readonly string[]> = {
  '/approvals': ['withdrawal', 'adjustment', 'policy'],
  '/adjustments': ['correction', 'write_off', 'recovery'],
  '/reconciliation-exceptions': ['missing_here', 'amount', 'fee'],
}

const TYPES: Record<string, readonly string[]> = {
  '/events': ['payment.paid', 'payment.expired', 'refund.completed'],
  '/transactions': ['payment_received', 'withdrawal_requested', 'dispute_opened'],
  '/disputes': ['med', 'chargeback'],
}

/** The id of row `i` of a kind of bulk rows. */
const bulkId = (kind: number, i: number): string => {
  const ms = Date.parse(bulkTime(i)).toString(16).padStart(12, '0')
  const hex = `${ms}7${kind.toString(16).padStart(3, '0')}8${i.toString(16).padStart(15, '0')}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const endingOf = (path: string): string => `/${path.split('/').at(-1)}`

// A value that most rows have, one that a tenth has, and a rare one: what serves one of them may be no good for another.
const SAMPLES: Record<string, (list: List, owners: BulkOwners) => readonly string[]> = {
  from: () => [bulkTime(0), bulkTime(BULK_ROWS - 500)],
  to: () => [bulkTime(BULK_ROWS), bulkTime(500)],
  paidFrom: () => [bulkTime(0), bulkTime(BULK_ROWS - 500)],
  paidTo: () => [bulkTime(BULK_ROWS), bulkTime(500)],
  settledFrom: () => [bulkTime(0), bulkTime(BULK_ROWS - 500)],
  settledTo: () => [bulkTime(BULK_ROWS), bulkTime(500)],
  respondBefore: () => [bulkTime(BULK_ROWS)],
  paymentId: () => [bulkId(2, MIDDLE)],
  month: () => ['2026-02'],
  status: ({ path }) => STATUSES[endingOf(path)] ?? [],
  method: () => ['pix', 'credit_card', 'boleto'],
  customerId: () => [bulkId(3, MIDDLE)],
  paymentLinkId: () => [bulkId(4, MIDDLE)],
  externalReference: ({ path }) => [`${path.endsWith('customers') ? 'client' : 'order'}-${MIDDLE}`],
  minAmount: () => ['100', String(BULK_ROWS - 500)],
  maxAmount: () => ['200000', '600'],
  search: () => [bulkTag(MIDDLE), 'example', 'nowhere to be found'],
  type: ({ path }) => TYPES[endingOf(path)] ?? [],
  kind: ({ path }) => KINDS[endingOf(path)] ?? [],
  bucket: () => ['available', 'pending', 'reserved'],
  direction: () => ['credit', 'debit'],
  isActive: () => ['true', 'false'],
  isApproved: () => ['true', 'false'],
  isBlocked: () => ['true', 'false'],
  role: () => ['seller', 'admin'],
  actorId: (_, { admin }) => [admin, bulkId(1, MIDDLE)],
  targetId: () => [bulkId(8, MIDDLE / 4)],
  sellerId: (_, { main }) => [main, bulkId(1, 91)],
  action: () => ['company.approve', 'withdrawal.approve', 'fee.create'],
}

/** Every narrowing that is tried of a list: none, each filter alone, and all that seldom go together. */
export const narrowingsOf = (list: List, owners: BulkOwners): Narrowing[] => {
  const alone = list.filters.flatMap((name) => {
    const samples = SAMPLES[name]?.(list, owners) ?? []
    if (samples.length === 0) throw new Error(`nothing is known to try as ${name} of ${list.name}: add it to SAMPLES`)
    return samples.map((value): Narrowing => ({ [name]: value }))
  })
  const period = { from: bulkTime(MIDDLE), to: bulkTime(MIDDLE + 5_000) }
  const together = alone.filter((narrowing) => !('from' in narrowing || 'to' in narrowing))
  return list.filters.includes('from')
    ? [{}, ...alone, period, ...together.map((narrowing) => ({ ...narrowing, ...period }))]
    : [{}, ...alone]
}

/** Who owns the rows, and who asks for them. */
export type Prepared = { owners: BulkOwners; tokens: { main: string; admin: string } }

/** The people whom bulk rows belong to. `main` is the seller whose lists are asked for. */
export const prepareOwners = async (app: TestApp, main: Seller): Promise<Prepared> => {
  const second = await registerSeller(app)
  const mainWebhook = await newWebhook(app, main, 'https://example.com/main')
  const secondWebhook = await newWebhook(app, second, 'https://example.com/second')
  const { rows } = await app.sql.query("select id from users where role = 'admin'")
  return {
    owners: { main: main.id, second: second.id, mainWebhook, secondWebhook, admin: rows[0].id },
    tokens: { main: main.token, admin: await adminToken(app) },
  }
}

// Lists of the things of one other thing. Row 0 of the bulk rows is the main seller's.
const PARENTS: Record<string, (owners: BulkOwners) => string> = {
  '/api/v1/seller-webhooks/{id}/deliveries': ({ mainWebhook }) => mainWebhook,
  '/api/v1/payments/{id}/refunds': () => bulkId(2, 0),
  '/api/v1/customers/{customerId}/cards': () => bulkId(3, 0),
  '/api/v1/users/{id}/sessions': ({ main }) => main,
  '/api/v1/admin/reserve-configs/{id}/releases': () => bulkId(11, 0),
}

/** Where a list is found, for the main seller or the administrator. */
export const addressOf = ({ name, path }: List, owners: BulkOwners, query: Record<string, string>): string => {
  const parent = PARENTS[path]?.(owners)
  if (path.includes('{') && parent === undefined) throw new Error(`nothing is known to list ${name} of: add to PARENTS`)
  return `${path.replace(/\{\w+\}/, parent ?? '')}?${new URLSearchParams(query)}`
}

/** Asks for a page of a list, by its address. */
export type ListCaller = (list: List, url: string) => Promise<Answer>

export const listCaller =
  (app: TestApp, { tokens }: Prepared): ListCaller =>
  async (list, url) => {
    const token = list.isForAdmins ? tokens.admin : tokens.main
    const answer = await app.api.get(url, { token })
    if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
    return answer
  }

/** The addresses of the `Link` header, by their relation. */
export const linksOf = (answer: Answer | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(answer?.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url = '', rel = '']) => [
      rel,
      url,
    ]),
  )
