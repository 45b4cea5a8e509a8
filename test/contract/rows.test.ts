import { afterAll, beforeAll, expect, test } from 'vitest'
import { METRICS_TOKEN, startTestApp, type TestApp } from '../support/app.ts'
import { type OpenapiDocument, type Operation, operationsOf, type Schema } from '../support/openapi-document.ts'

// What the platform promised before it was built: paths, who may call them, statuses, and the fields of what they answer.
// More may be added; nothing of this may go.
const fields = (text: string): string[] => text.trim().split(/\s+/)

const SHAPES: Readonly<Record<string, string[]>> = {
  nothing: [],
  User: fields('id email name role companyName phone approved createdAt updatedAt deletedAt'),
  Session: fields('user tokens'),
  Tokens: fields('accessToken refreshToken tokenType expiresIn'),
  // Promised in camel case first: those names are still answered, outside the document.
  Token: fields('access_token token_type expires_in scope'),
  Company:
    fields(`id userId commercialName invoiceName averageRevenue averageTicket productsServices website contactEmail
    contactPhone sellsPhysicalProducts cnpj companyName tradeName phone email addressZipCode addressStreet addressNumber
    addressComplement addressNeighborhood addressCity addressState legalRepName legalRepCpf legalRepRole legalRepStartDate
    legalRepPhone legalRepEmail createdAt updatedAt deletedAt documents status rejectionReason`),
  Approval: ['company'],
  Review: ['document'],
  Documents: ['documents'],
  Document: fields('id companyId type fileName contentType size sha256 status rejectionReason createdAt updatedAt'),
  Credentials: fields('clientId clientSecretLast4 scopes allowedIps createdAt lastUsedAt previousSecretValidUntil'),
  Customer: fields(`id sellerId name email document documentType phone address externalReference metadata createdAt
    updatedAt deletedAt`),
  Payment:
    fields(`id sellerId customerId paymentLinkId externalReference method amount paidAmount refundedAmount feeAmount
    netAmount reserveAmount currency installments description status statusReason provider customer pix boleto card metadata
    expiresAt paidAt canceledAt createdAt updatedAt`),
  SellersPayment: fields('id sellerId amount status sellerName sellerEmail'),
  Refund: fields('id paymentId amount reason status createdAt updatedAt'),
  Dispute: fields('id paymentId type amount blockedAmount status reason respondBy'),
  Link: fields(`id sellerId hash url title description amount minAmount maxAmount methods maxInstallments maxPayments
    paymentsCount paidAmount successUrl expiresAt externalReference metadata status createdAt updatedAt`),
  PublicLink: fields('title description amount methods status'),
  PublicPayment: fields('id status amount'),
  Balance:
    fields(`sellerId currency availableAmount pendingAmount reservedAmount blockedAmount withdrawingAmount totalAmount
    nextReleases asOf`),
  Movement: fields(
    'id sellerId type bucket direction amount balanceAfter referenceType referenceId description createdAt',
  ),
  Fee: fields(`id sellerId method installmentsFrom installmentsTo percentage fixedAmount minAmount maxAmount settlementDays
    isActive createdAt updatedAt`),
  Simulation: fields('amount feeAmount netAmount reserveAmount settlements'),
  Withdrawal: fields(`id sellerId amount feeAmount netAmount pixKeyType pixKey status statusReason endToEndId approvedBy
    requestedAt approvedAt completedAt createdAt updatedAt`),
  Id: ['id'],
  Webhook: fields('id url events description status createdAt updatedAt'),
  Secret: ['secret'],
  Event: fields('id type createdAt apiVersion data'),
  Summary: fields('period balance payments byMethod byStatus timeseries withdrawals'),
  Totals: fields('count grossAmount feeAmount netAmount byMethod byStatus'),
  Revenue: fields(`period grossVolumeAmount paymentFeesAmount withdrawalFeesAmount disputeFeesAmount providerCostAmount
    refundedFeesAmount netRevenueAmount takeRatePercentage items`),
  WithdrawalConfig: fields(`id sellerId sellerName sellerEmail minAmount maxAmount dailyLimitAmount feePercentage
    feeFixedAmount autoApproveMaxAmount isActive createdAt updatedAt`),
  ReserveConfig: fields(
    'id sellerId sellerName sellerEmail reservePercentage reserveDays isActive createdAt updatedAt',
  ),
  Member: fields('id email role companyName approved createdAt updatedAt deletedAt'),
  Status: fields('status version time components'),
  WithdrawalEvents: ['events'],
  Clock: ['now'],
}

/** Method and path, who (P anybody, S sellers, A administrators), status, and what: `[]` is a page of it. */
const ROWS = `
POST /auth/register P 201 Session
POST /auth/login P 200 Session
POST /auth/refresh P 200 Tokens
POST /auth/logout SA 204 nothing
POST /users A 201 User
GET /users/{id} SA 200 User
PUT /users/{id} SA 200 User
DELETE /users/{id} SA 204 nothing
PUT /users/{id}/password SA 204 nothing
POST /companies S 201 Company
GET /companies S 200 Company[]
GET /companies/{id} S 200 Company
PUT /companies/{id} S 200 Company
DELETE /companies/{id} S 204 nothing
POST /companies/{id}/documents S 201 Documents
PUT /companies/{id}/documents/{documentId} S 200 Document
GET /companies/{id}/documents/{documentId}/content SA 200 application/pdf
POST /integrations/login P 200 Token
GET /integrations/credentials S 200 Credentials
PUT /integrations/credentials S 200 Credentials
POST /customers S 201 Customer
GET /customers S 200 Customer[]
GET /customers/{id} S 200 Customer
PUT /customers/{id} S 200 Customer
DELETE /customers/{id} S 204 nothing
POST /payments S 201 Payment
GET /payments S 200 Payment[]
GET /payments/{id} S 200 Payment
GET /payments/{id}/qr-code S 200 image/svg+xml
POST /payments/{id}/cancel S 200 Payment
POST /payments/{id}/capture S 200 Payment
POST /payments/{id}/refunds S 201 Refund
GET /payments/{id}/refunds S 200 Refund[]
GET /disputes S 200 Dispute[]
GET /disputes/{id} S 200 Dispute
POST /disputes/{id}/defense S 200 Dispute
POST /payment-links S 201 Link
GET /payment-links S 200 Link[]
GET /payment-links/{id} P 200 PublicLink
PUT /payment-links/{id} S 200 Link
DELETE /payment-links/{id} S 204 nothing
POST /payment-links/{hash}/payments P 201 PublicPayment
GET /payment-links/{hash}/payments/{id} P 200 PublicPayment
GET /payment-links/{hash}/payments/{id}/events P 200 text/event-stream
GET /balance S 200 Balance
GET /transactions S 200 Movement[]
GET /transactions S 200 text/csv
GET /transactions/{id} S 200 Movement
POST /fees A 201 Fee
PUT /fees/{id} A 200 Fee
GET /fees SA 200 Fee[]
POST /fees/simulate SA 200 Simulation
POST /withdrawals S 201 Withdrawal
GET /withdrawals S 200 Withdrawal[]
GET /withdrawals/{id} S 200 Withdrawal
POST /withdrawals/{id}/cancel S 200 Withdrawal
POST /seller-webhooks S 201 Id
GET /seller-webhooks S 200 Webhook[]
GET /seller-webhooks/{id} S 200 Webhook
PATCH /seller-webhooks/{id} S 200 Webhook
DELETE /seller-webhooks/{id} S 204 nothing
GET /seller-webhooks/{id}/secret S 200 Secret
POST /seller-webhooks/{id}/secret/rotate S 200 Secret
POST /seller-webhooks/{id}/test S 202 Id
GET /seller-webhooks/{id}/deliveries S 200 Id[]
POST /seller-webhooks/{id}/deliveries/{deliveryId}/resend S 202 Id
POST /seller-webhooks/{id}/recover S 202 Id
GET /events S 200 Event[]
GET /events/{id} S 200 Event
GET /dashboard/summary S 200 Summary
POST /admin/enterprises/{id}/approve A 200 Approval
POST /admin/enterprises/{id} A 200 Approval
POST /admin/enterprises/{id}/reject A 200 Approval
POST /admin/enterprises/{id}/request-changes A 200 Approval
POST /admin/enterprises/{id}/suspend A 200 Approval
POST /admin/enterprises/{id}/reactivate A 200 Approval
POST /admin/enterprises/{id}/documents/{documentId}/approve A 200 Review
POST /admin/enterprises/{id}/documents/{documentId}/reject A 200 Review
GET /admin/enterprises A 200 Company[]
GET /admin/enterprises/requests A 200 Company[]
GET /admin/payments A 200 SellersPayment[]
GET /admin/payments/{id} A 200 SellersPayment
GET /admin/transactions A 200 Movement[]
GET /admin/transactions/total A 200 Totals
GET /admin/revenue A 200 Revenue
GET /admin/billing A 200 Id[]
GET /admin/billing A 200 text/csv
GET /admin/dashboard A 200 nothing
GET /admin/withdrawals A 200 Withdrawal[]
POST /admin/withdrawals/{id}/approve A 200 Withdrawal
POST /admin/withdrawals/{id}/reject A 200 Withdrawal
GET /admin/withdrawal-configs A 200 WithdrawalConfig[]
GET /admin/withdrawal-configs/{id} A 200 WithdrawalConfig
PUT /admin/withdrawal-configs/{id} A 200 WithdrawalConfig
GET /admin/reserve-configs A 200 ReserveConfig[]
GET /admin/reserve-configs/{id} A 200 ReserveConfig
PUT /admin/reserve-configs/{id} A 200 ReserveConfig
GET /admin/fees A 200 Fee[]
GET /admin/fees/{id} A 200 Fee
GET /admin/members A 200 Member[]
GET /admin/audit-log A 200 Id[]
GET /admin/provider-events A 200 Id[]
POST /admin/provider-events/{id}/replay A 200 Id
POST /admin/webhook-events/{id}/replay A 200 Id
GET /status P 200 Status
GET /status/withdrawal-events P 200 WithdrawalEvents
POST /sandbox/payments/{id}/pay S 202 nothing
POST /sandbox/payments/{id}/expire S 202 nothing
POST /sandbox/payments/{id}/fail S 202 nothing
POST /sandbox/payments/{id}/dispute S 202 nothing
POST /sandbox/disputes/{id}/resolve S 202 nothing
POST /sandbox/withdrawals/{id}/settle S 202 nothing
GET /sandbox/clock A 200 Clock
POST /sandbox/clock/advance A 200 Clock`
  .trim()
  .split('\n')

let app: TestApp
let operations: Map<string, Operation>

beforeAll(async () => {
  app = await startTestApp()
  const document = app.app.swagger() as unknown as OpenapiDocument
  operations = new Map(operationsOf(document).map((operation) => [operation.name.replace('/api/v1', ''), operation]))
})
afterAll(() => app.close())

const accessOf = ({ method, path }: Operation): string => {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} `
  const access = app.app.accessTable.find((line) => line.startsWith(route))?.split(' ')[2] ?? ''
  return access === 'public'
    ? 'P'
    : ['seller', 'admin']
        .filter((role) => access.includes(role))
        .map((role) => role.charAt(0).toUpperCase())
        .join('')
}

const fieldsIn = ({ properties = {}, anyOf, oneOf }: Schema): string[] => [
  ...Object.keys(properties),
  ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap(fieldsIn),
]

const ENVELOPE = ['data', 'totalRecords', 'totalPages', 'perPage', 'currentPage']

/** What is missing of a shape, or of a page of it. */
const missingOf = (schema: Schema | undefined, shape: string): string[] => {
  const isPage = shape.endsWith('[]')
  const row = isPage ? schema?.properties?.data?.items : schema
  const wanted = SHAPES[shape.replace('[]', '')] ?? []
  const lacking = wanted.filter((name) => !fieldsIn(row ?? {}).includes(name))
  const envelope = isPage ? ENVELOPE.filter((name) => !fieldsIn(schema ?? {}).includes(name)) : []
  return [...envelope, ...lacking]
}

test.each(ROWS)('%s', (row) => {
  const [method, path, who, status = '', what = ''] = row.split(' ')
  const operation = operations.get(`${method} ${path}`)
  if (operation === undefined) throw new Error('no such operation is documented')
  expect(accessOf(operation)).toBe(who)
  const answer = operation.responses[status]
  expect(answer).toBeDefined()
  if (what.includes('/')) expect(Object.keys(answer?.content ?? {})).toContain(what)
  else expect(missingOf(answer?.content?.['application/json']?.schema, what)).toStrictEqual([])
})

test('every list takes a page, its size and a period', () => {
  const lists = ROWS.filter((row) => row.endsWith('[]')).map((row) => row.split(' ').slice(0, 2).join(' '))
  // A seller has ten webhooks at most, and bills are asked for by month.
  const without = ['GET /seller-webhooks', 'GET /admin/billing']
  for (const name of lists) {
    const taken = (operations.get(name)?.parameters ?? []).map((parameter) => parameter.name)
    const wanted = without.includes(name) ? ['page', 'perPage'] : ['page', 'perPage', 'from', 'to']
    expect([name, wanted.filter((field) => !taken.includes(field))]).toStrictEqual([name, []])
  }
})

test('outside of the API there are health, metrics, the documentation and the page that payers see', async () => {
  const paths = ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs/']
  for (const path of paths)
    expect([path, (await app.api.get(path, { token: METRICS_TOKEN })).status]).toStrictEqual([path, 200])
})
