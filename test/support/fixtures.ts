import { randomUUID } from 'node:crypto'
import { newApproval, newException, newReceivedPix, newReconciliation } from './administrators.ts'
import type { Answer, TestApp } from './app.ts'
import { callBack, paidNotification } from './callbacks.ts'
import { pdfBytes } from './company.ts'
import { createCustomer, newCpf } from './customers.ts'
import { adminToken, approvedSeller, type Seller } from './factories.ts'
import { imageBytes } from './images.ts'
import type { Operation, Schema } from './openapi-document.ts'
import { createLink, payLink } from './payment-links.ts'
import { createPayment, pay, sellingSeller } from './payments.ts'
import { paidPix, reservingSeller } from './refunds.ts'
import { saveCard } from './saved-cards.ts'
import { administratorWith, joinTeam } from './team.ts'
import { until } from './until.ts'
import { drain, newEngine, newWebhook } from './webhooks.ts'
import { earn, request } from './withdrawals.ts'

const EARNED = 10_000_000

const ok = (answer: Answer): Answer['body'] => {
  if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** The ids of one thing of every kind that belong to one seller, or to the platform. */
export type Fixtures = {
  app: TestApp
  seller: Seller
  stranger: Seller
  admin: string
  ids: Record<string, string>
}

const companyOf = async (app: TestApp, { token }: Seller) => {
  const [company] = ok(await app.api.get('companies', { token })).data
  return { company: company.id as string, document: company.documents[0].id as string }
}

const paidPaymentOf = async (app: TestApp, seller: Seller): Promise<string> => {
  const { id } = await createPayment(app, seller)
  ok(await pay(app, seller, id))
  await until('the payment is paid', async () => {
    const { body } = await app.api.get(`payments/${id}`, { token: seller.token })
    return body.status === 'paid'
  })
  return id
}

// Paid, so that whoever watches it is told so and let go.
const linkOf = async (app: TestApp, seller: Seller) => {
  const link = await createLink(app, seller)
  const { id } = await payLink(app, link)
  ok(await pay(app, seller, id))
  await until('the payment of the link is paid', async () => {
    const { body } = await app.api.get(`payments/${id}`, { token: seller.token })
    return body.status === 'paid'
  })
  return { paymentLink: link.id as string, linkHash: link.hash as string, linkPayment: id as string }
}

const newDispute = async (app: TestApp, seller: Seller): Promise<string> => {
  const { token } = seller
  const payment = await paidPaymentOf(app, seller)
  ok(await app.api.post(`sandbox/payments/${payment}/dispute`, { token, body: { type: 'med' } }))
  return until('the dispute is open', async () => {
    const { body } = await app.api.get(`disputes?paymentId=${payment}`, { token })
    return body.data[0]?.id
  })
}

/** An open dispute, and one that its seller answered with a file. */
const disputesOf = async (app: TestApp, seller: Seller) => {
  const [dispute, answeredDispute] = [await newDispute(app, seller), await newDispute(app, seller)]
  const body = new FormData()
  body.append('text', 'It was delivered.')
  body.append('file', new Blob([new Uint8Array(pdfBytes())]), 'proof.pdf')
  const { defense } = ok(await app.api.post(`disputes/${answeredDispute}/defense`, { token: seller.token, body }))
  return { dispute, answeredDispute, disputeFile: defense.files[0].id as string }
}

const reserveHoldOf = async (app: TestApp, token: string): Promise<string> => {
  const seller = await reservingSeller(app)
  await paidPix(app, seller)
  return firstOf(app, `admin/reserve-holds?sellerId=${seller.id}`, token)
}

const HOLIDAY = '2031-03-05'

const holidayOf = async (app: TestApp, token: string): Promise<string> => {
  ok(await app.api.put(`admin/holidays/${HOLIDAY}`, { token, body: { isHoliday: true, name: 'Aniversário' } }))
  return HOLIDAY
}

const customerOf = async (app: TestApp, seller: Seller) => {
  const { id: customer } = await createCustomer(app, seller)
  // Somebody else, whose card is there after the other was deleted.
  const { id: cardholder } = await createCustomer(app, seller)
  const { id: savedCard } = await saveCard(app, seller, cardholder)
  return { customer, cardholder, savedCard } as Record<'customer' | 'cardholder' | 'savedCard', string>
}

const webhookOf = async (app: TestApp, seller: Seller) => {
  // Nobody listens there: the delivery fails, and stays to be looked at.
  const webhook = await newWebhook(app, seller, 'http://127.0.0.1:9/hooks')
  ok(await app.api.post(`seller-webhooks/${webhook}/test`, { token: seller.token }))
  await drain(newEngine(app))
  const deliveries = ok(await app.api.get(`seller-webhooks/${webhook}/deliveries`, { token: seller.token }))
  return { webhook, delivery: deliveries.data[0].id as string }
}

const adjustmentOf = async (app: TestApp, token: string, sellerId: string): Promise<string> => {
  const body = { sellerId, amount: 100, reason: 'A fee was charged twice.' }
  return ok(await app.api.post('admin/adjustments', { token, body })).id
}

const firstOf = async (app: TestApp, path: string, token: string): Promise<string> =>
  ok(await app.api.get(path, { token })).data[0].id

/** Makes one of everything that an operation may name. */
export const createFixtures = async (app: TestApp): Promise<Fixtures> => {
  const admin = await adminToken(app)
  const seller = await sellingSeller(app)
  const stranger = await approvedSeller(app)
  const { token } = seller
  await earn(app, seller.id, EARNED)
  // The acquirer speaks of a payment that nobody knows: that stays unmatched.
  ok(await callBack(app, [paidNotification(randomUUID())]))
  const ids = {
    user: seller.id,
    session: await firstOf(app, `users/${seller.id}/sessions`, token),
    member: (await joinTeam(app, seller, 'viewer')).id,
    administrator: (await administratorWith(app, admin, 'viewer')).id,
    provider: 'sandbox',
    ...(await companyOf(app, seller)),
    ...(await customerOf(app, seller)),
    erasure: ok(await app.api.post('personal-data/erasures', { token, body: { document: newCpf() } })).id as string,
    payment: await paidPaymentOf(app, seller),
    ...(await disputesOf(app, seller)),
    disputeType: 'med',
    holiday: await holidayOf(app, admin),
    reserveHold: await reserveHoldOf(app, admin),
    ...(await linkOf(app, seller)),
    withdrawal: ok(await request(app, seller)).id as string,
    ...(await webhookOf(app, seller)),
    event: await firstOf(app, 'events', token),
    transaction: await firstOf(app, 'transactions', token),
    fee: await firstOf(app, 'admin/fees', admin),
    reserveConfig: await firstOf(app, `admin/reserve-configs?sellerId=${seller.id}`, admin),
    withdrawalConfig: await firstOf(app, `admin/withdrawal-configs?sellerId=${seller.id}`, admin),
    approval: await newApproval(app, admin),
    reconciliation: await newReconciliation(app, admin),
    reconciliationException: await newException(app),
    adjustment: await adjustmentOf(app, admin, seller.id),
    receivedPix: await newReceivedPix(app),
    providerEvent: await firstOf(app, 'admin/provider-events?status=unmatched', admin),
  }
  return { app, seller, stranger, admin, ids }
}

/** What each path parameter names, by the path up to it, with the method where it matters. A new path needs a line here, and maybe a thing above. */
const NAMED: Readonly<Record<string, string>> = {
  '/callbacks/{provider}': 'provider',
  '/users/{id}': 'user',
  '/users/{id}/sessions/{sessionId}': 'session',
  '/team/{userId}': 'member',
  '/admin/members/{id}': 'administrator',
  '/companies/{id}': 'company',
  '/companies/{id}/documents/{documentId}': 'document',
  '/customers/{id}': 'customer',
  '/customers/{customerId}': 'cardholder',
  '/customers/{customerId}/cards/{cardId}': 'savedCard',
  '/personal-data/erasures/{id}': 'erasure',
  '/payments/{id}': 'payment',
  '/payment-links/{id}': 'paymentLink',
  'GET /payment-links/{id}': 'linkHash',
  'GET /payment-links/{id}/details': 'paymentLink',
  '/payment-links/{hash}': 'linkHash',
  '/payment-links/{hash}/payments/{id}': 'linkPayment',
  '/transactions/{id}': 'transaction',
  '/fees/{id}': 'fee',
  '/withdrawals/{id}': 'withdrawal',
  '/events/{id}': 'event',
  '/disputes/{id}': 'dispute',
  'GET /disputes/{id}': 'answeredDispute',
  '/disputes/{id}/files/{fileId}': 'disputeFile',
  '/sandbox/disputes/{id}': 'dispute',
  '/seller-webhooks/{id}': 'webhook',
  '/seller-webhooks/{id}/deliveries/{deliveryId}': 'delivery',
  '/sandbox/payments/{id}': 'payment',
  '/sandbox/withdrawals/{id}': 'withdrawal',
  '/admin/approvals/{id}': 'approval',
  '/admin/adjustments/{id}': 'adjustment',
  '/admin/reconciliations/{id}': 'reconciliation',
  '/admin/reconciliation-exceptions/{id}': 'reconciliationException',
  '/admin/users/{id}': 'user',
  // Of the seller everything else is asked for.
  'PUT /admin/users/{id}/block': 'member',
  'PUT /admin/users/{id}/unblock': 'member',
  '/admin/sellers/{id}': 'user',
  '/admin/customers/{sellerId}': 'user',
  '/admin/customers/{sellerId}/{id}': 'customer',
  '/admin/enterprises/{id}': 'company',
  '/admin/enterprises/{id}/documents/{documentId}': 'document',
  '/admin/payments/{id}': 'payment',
  '/admin/fees/{id}': 'fee',
  '/admin/withdrawals/{id}': 'withdrawal',
  '/admin/disputes/{id}': 'dispute',
  '/admin/reserve-holds/{id}': 'reserveHold',
  '/admin/holidays/{date}': 'holiday',
  '/admin/dispute-fees/{type}': 'disputeType',
  '/admin/reserve-configs/{id}': 'reserveConfig',
  '/admin/withdrawal-configs/{id}': 'withdrawalConfig',
  '/admin/provider-events/{id}': 'providerEvent',
  '/admin/received-pix/{endToEndId}': 'receivedPix',
  '/admin/webhook-events/{id}': 'providerEvent',
}

const PARAMETER = /\{(\w+)\}/g

/** An operation's path with ids in it that exist. Throws for a parameter that nobody has said the meaning of. */
export const existingPath = ({ ids }: Pick<Fixtures, 'ids'>, { method, path, name }: Operation): string =>
  path.replaceAll(PARAMETER, (parameter, _parameterName, offset: number) => {
    const prefix = path.slice(0, offset + parameter.length).replace('/api/v1', '')
    const whole = path.replace('/api/v1', '')
    const id = ids[NAMED[`${method} ${whole}`] ?? NAMED[`${method} ${prefix}`] ?? NAMED[prefix] ?? '']
    if (id === undefined)
      throw new Error(`test/support/fixtures.ts does not say which thing ${prefix} of ${name} names`)
    return id
  })

// What is no id: a date that nobody said anything about, and words of which all exist.
const NOT_IDS: Readonly<Record<string, string>> = {
  date: '2099-12-30',
  type: 'med',
  endToEndId: 'E00000000209912301200zzzzzzzzzzz',
}

/** The same path with ids that nothing has. */
export const missingPath = ({ path }: Operation): string =>
  path.replaceAll(PARAMETER, (_parameter, name: string) => NOT_IDS[name] ?? randomUUID())

const STATEMENT = 'kind,reference,amount,happened_at\ncharge,one,100,2026-11-20T12:00:00Z\n'

const fileOf = ({ contentMediaType, description = '' }: Schema): Blob => {
  if (contentMediaType === 'text/csv') return new Blob([STATEMENT])
  return new Blob([new Uint8Array(description.includes(' image ') ? imageBytes() : pdfBytes())])
}

const formOf = ({ properties = {} }: Schema): FormData => {
  const form = new FormData()
  for (const [name, field] of Object.entries(properties)) {
    const schema = field.items ?? field
    const isFile = schema.format === 'binary'
    if (isFile) form.append(name, fileOf(schema), 'file.pdf')
    else form.append(name, String(schema.enum?.[0] ?? schema.examples?.[0]))
  }
  return form
}

const HOUR_MS = 3_600_000

// The document's instants grow old, and some must be of the last days.
const upToDate = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'since' in body
    ? { ...body, since: new Date(Date.now() - HOUR_MS).toISOString() }
    : body

/** The body that the document gives as an example, as an HTTP client sends it. */
export const exampleBody = ({ requestBody }: Operation): unknown => {
  const json = requestBody?.content['application/json']
  const form = requestBody?.content['multipart/form-data']
  if (form !== undefined) return formOf(form.schema)
  return json === undefined ? undefined : upToDate(json.example ?? Object.values(json.examples ?? {})[0]?.value)
}

/** Headers without which the operation does not act. */
export const neededHeaders = ({ parameters = [] }: Operation): Record<string, string> =>
  parameters.some(({ in: place, name, required }) => place === 'header' && name === 'idempotency-key' && required)
    ? { 'idempotency-key': randomUUID() }
    : {}
