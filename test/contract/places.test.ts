import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { companyBody, documentForm } from '../support/company.ts'
import { createCompany, newEmail, registerSeller } from '../support/factories.ts'
import { createFixtures, existingPath, type Fixtures } from '../support/fixtures.ts'
import { type OpenapiDocument, type Operation, operationsOf } from '../support/openapi-document.ts'
import { createLink } from '../support/payment-links.ts'
import { fillAcquirer } from '../support/provider-balance.ts'

const PASSWORD = 'dois cafés e um pão na chapa'
const PERSON = { name: 'Maria da Silva', companyName: 'Padaria da Maria', password: PASSWORD }
const FEE = { method: 'pix', percentage: 1, fixedAmount: 0, minAmount: null, maxAmount: null, settlementDays: 1 }

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
})

afterAll(() => app.close())

const key = () => ({ 'idempotency-key': randomUUID() })

type Creation = { create: () => Promise<Answer>; read?: () => { token?: string } }

const asSeller = (path: string, body: () => unknown): Creation => ({
  create: () => app.api.post(path, { token: fixtures.seller.token, body: body(), headers: key() }),
  read: () => ({ token: fixtures.seller.token }),
})

const asAdmin = (path: string, body: () => unknown): Creation => ({
  create: () => app.api.post(path, { token: fixtures.admin, body: body(), headers: key() }),
  read: () => ({ token: fixtures.admin }),
})

/** How each thing is made, and who reads it under the path that the answer names; nobody: it has no path of its own. */
const CREATIONS: Readonly<Record<string, () => Promise<Creation>>> = {
  'POST /auth/register': async () => ({
    ...asAdmin('', () => undefined),
    create: () => app.api.post('auth/register', { body: { ...PERSON, email: newEmail() } }),
  }),
  'POST /users': async () => asAdmin('users', () => ({ ...PERSON, email: newEmail(), role: 'seller' })),
  'POST /users/{id}/totp': async () => {
    const { id, token } = await registerSeller(app)
    const body = { currentPassword: PASSWORD }
    return { create: () => app.api.post(`users/${id}/totp`, { token, body }), read: () => ({ token }) }
  },
  'POST /companies': async () => asSeller('companies', companyBody),
  'POST /companies/{id}/documents': async () => ({
    create: async () => {
      const seller = await registerSeller(app)
      const { id } = await createCompany(app, seller)
      return app.api.post(`companies/${id}/documents`, { token: seller.token, body: documentForm() })
    },
  }),
  'POST /customers': async () => asSeller('customers', () => ({ name: 'Francisco' })),
  'POST /customers/{customerId}/cards': async () =>
    asSeller(`customers/${fixtures.ids.customer}/cards`, () => ({ cardToken: 'tok_visa_0001', consent: true })),
  'POST /personal-data/erasures': async () =>
    asSeller('personal-data/erasures', () => ({ document: '529.982.247-25' })),
  'POST /payments': async () => asSeller('payments', () => ({ method: 'pix', amount: 10_000 })),
  'POST /payments/{id}/refunds': async () => {
    const { create } = asSeller(`payments/${fixtures.ids.payment}/refunds`, () => ({ amount: 1 }))
    return { create }
  },
  'POST /payment-links': async () => asSeller('payment-links', () => ({ title: 'Camiseta', amount: 8_990 })),
  'POST /payment-links/{hash}/payments': async () => {
    const { hash, amount } = await createLink(app, fixtures.seller)
    const path = `payment-links/${hash}/payments`
    return { create: () => app.api.post(path, { body: { method: 'pix', amount } }), read: () => ({}) }
  },
  'POST /fees': async () => {
    const { id: sellerId } = await registerSeller(app)
    return asAdmin('fees', () => ({ ...FEE, sellerId }))
  },
  'POST /admin/adjustments': async () => {
    const { id: sellerId } = await registerSeller(app)
    return asAdmin('admin/adjustments', () => ({ sellerId, amount: 5, reason: 'Twice.' }))
  },
  'POST /admin/treasury/payouts': async () => {
    await fillAcquirer(app)
    const payout = { amount: 1, pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees.' }
    const { create } = asAdmin('admin/treasury/payouts', () => payout)
    return { create }
  },
  'POST /team/invitations': async () => {
    const { create } = asSeller('team/invitations', () => ({ email: newEmail(), name: 'Rui', role: 'viewer' }))
    return { create }
  },
  'POST /admin/members/invitations': async () => {
    const invitation = () => ({ email: newEmail(), name: 'Rui', adminRole: 'viewer' })
    const { create } = asAdmin('admin/members/invitations', invitation)
    return { create }
  },
  'POST /admin/provider-statements': async () => ({
    create: () => {
      const form = new FormData()
      form.append('provider', 'sandbox')
      form.append('date', '2026-11-20')
      form.append('file', new Blob(['kind,reference,amount,happened_at\n']), 'statement.csv')
      return app.api.post('admin/provider-statements', { token: fixtures.admin, body: form })
    },
  }),
  'POST /sandbox/faults': async () => ({
    create: () =>
      app.api.post('sandbox/faults', { token: fixtures.admin, body: { fault: 'ghost_payout', amount: 5_000 } }),
  }),
  'POST /withdrawals': async () =>
    asSeller('withdrawals', () => ({ amount: 5_000, pixKeyType: 'email', pixKey: 'maria@example.com' })),
  'POST /seller-webhooks': async () => asSeller('seller-webhooks', () => ({ url: 'http://127.0.0.1:9/hooks' })),
}

test('every operation that creates something is tried here', () => {
  const creating = operations
    .filter(({ responses }) => '201' in responses)
    .map(({ name }) => name.replace('/api/v1', ''))
  expect(creating.sort()).toEqual(Object.keys(CREATIONS).sort())
})

test.each(Object.keys(CREATIONS))('201: %s says where the new thing is, where it can be read', async (name) => {
  const creation = await CREATIONS[name]?.()
  const answer = await creation?.create()
  expect(answer?.status).toBe(201)
  const location = answer?.headers.get('location') ?? null
  const declared = operations.find((operation) => operation.name.replace('/api/v1', '') === name)?.responses['201']
  expect(Object.keys(declared?.headers ?? {}).includes('Location')).toBe(location !== null)
  expect(location !== null).toBe(creation?.read !== undefined)
  if (location === null) return
  expect(location).toMatch(/^\/api\/v1\/[\w/-]+$/)
  const found = await app.api.get(location, creation?.read?.())
  expect(found.status).toBe(200)
  const id = answer?.body.id ?? answer?.body.user?.id
  if (id !== undefined) expect(found.body.id).toBe(id)
})

test('201: a repeat under its key says the same place', async () => {
  const headers = key()
  const post = () => app.api.post('customers', { token: fixtures.seller.token, body: { name: 'Ana' }, headers })
  const [first, repeat] = [await post(), await post()]
  expect(repeat.headers.get('idempotency-replayed')).toBe('true')
  expect(repeat.headers.get('location')).toBe(first.headers.get('location'))
})

const tokenFor = ({ method, path }: Operation): string | undefined => {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} `
  const access = app.app.accessTable.find((line) => line.startsWith(route)) ?? ''
  if (access.includes(' public')) return undefined
  return access.includes(' seller') ? fixtures.seller.token : fixtures.admin
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

// What streams, what is made anew with every look or says when it was, and a page of the payment in the fixtures that only another kind has.
const NOT_COMPARED = /\/events$|\/personal-data$|\/boleto$|\/admin\/sellers\//

test('200: an id in upper case is the same thing, in every path', async () => {
  const reads = operations.filter(
    ({ method, path }) => method === 'GET' && path.includes('{') && !NOT_COMPARED.test(path),
  )
  const paths = reads.map((operation) => [operation, existingPath(fixtures, operation)] as const)
  const withIds = paths.filter(([, path]) => path.search(UUIDS) >= 0)
  expect(withIds.length).toBeGreaterThan(20)
  for (const [operation, path] of withIds) {
    const options = { token: tokenFor(operation) }
    const upper = path.replaceAll(UUIDS, (id) => id.toUpperCase())
    const [lower, same] = [await app.api.get(path, options), await app.api.get(upper, options)]
    expect([operation.name, same.status, same.text]).toEqual([operation.name, 200, lower.text])
  }
})

test('201: an id in upper case, or escaped, is the same for a repeat under its key', async () => {
  const payment = fixtures.ids.payment ?? ''
  const headers = key()
  const written = [payment, payment.toUpperCase(), payment.replace('-', '%2D').replace('a', '%61')]
  const answers: Answer[] = []
  for (const id of written) {
    const options = { token: fixtures.seller.token, body: { amount: 2 }, headers }
    answers.push(await app.api.post(`payments/${id}/refunds`, options))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

test('200: a seller reads one’s own link by its id, whole, and payers nothing by it', async () => {
  const { id, ...link } = await createLink(app, fixtures.seller)
  const token = fixtures.seller.token
  expect((await app.api.get(`payment-links/${id}/details`, { token })).body).toEqual({ id, ...link })
  expect((await app.api.get(`payment-links/${id}`)).body.code).toBe('payment_link.not_found')
  await app.api.delete(`payment-links/${id}`, { token })
  expect((await app.api.get(`payment-links/${id}/details`, { token })).body.status).toBe('deleted')
})
