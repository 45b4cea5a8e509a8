import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { createFixtures, existingPath, type Fixtures } from '../support/fixtures.ts'
import { documentedCodes, type OpenapiDocument, type Operation, operationsOf } from '../support/openapi-document.ts'

/** A choice of its own for each number below sixteen. */
const mailsChosen = (n: number) => ({
  company: (n & 1) === 1,
  withdrawals: (n & 2) === 2,
  disputes: (n & 4) === 4,
  dailyDigest: (n & 8) === 8,
})

/** A field of each thing that its operation changes, and what it becomes in the n-th try. */
const CHANGES: Readonly<Record<string, (n: number) => Record<string, unknown>>> = {
  'PUT /users/{id}': (n) => ({ name: `Maria ${n}` }),
  'PUT /users/{id}/notifications': (n) => ({ mails: mailsChosen(n) }),
  'PUT /companies/{id}': (n) => ({ commercialName: `Loja ${n}` }),
  'PUT /customers/{id}': (n) => ({ name: `Francisco ${n}` }),
  'PUT /payment-links/{id}': (n) => ({ title: `Camiseta ${n}` }),
  'PUT /integrations/credentials': (n) => ({ allowedIps: [`203.0.113.${n}`] }),
  'PUT /branding': (n) => ({ color: `#0000${String(n).padStart(2, '0')}` }),
  'PUT /fees/{id}': (n) => ({ percentage: 1 + n / 100 }),
  'PUT /admin/reserve-configs/{id}': (n) => ({ reserveDays: 1 + n }),
  'PUT /admin/withdrawal-configs/{id}': (n) => ({ minAmount: 1_000 + n }),
  'PATCH /seller-webhooks/{id}': (n) => ({ description: `Webhook ${n}` }),
}

/** Where a thing is read that is changed under another path. */
const READ_AT: Readonly<Record<string, string>> = {
  'PUT /fees/{id}': '/api/v1/admin/fees/{id}',
  'PUT /payment-links/{id}': '/api/v1/payment-links/{id}/details',
}

const TRIES = 6

const FEE = { method: 'pix', percentage: 1, fixedAmount: 0, minAmount: null, maxAmount: null, settlementDays: 1 }

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
  // No payment was made with it, so that it is changed and not succeeded.
  const body = { ...FEE, sellerId: fixtures.stranger.id }
  fixtures.ids.fee = (await app.api.post('fees', { token: fixtures.admin, body })).body.id
})

afterAll(() => app.close())

const nameOf = ({ name }: Operation): string => name.replace('/api/v1', '')

const changing = (): Operation[] =>
  operations.filter((operation) => documentedCodes(operation, 412).includes('precondition.failed'))

const tokenFor = ({ method, path }: Operation): string => {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} `
  const isSellers = app.app.accessTable.some((line) => line.startsWith(route) && line.includes(' seller'))
  return isSellers ? fixtures.seller.token : fixtures.admin
}

const read = (operation: Operation, headers: Record<string, string> = {}): Promise<Answer> => {
  const path = READ_AT[nameOf(operation)] ?? operation.path
  const place = existingPath(fixtures, { ...operation, method: 'GET', path, name: `GET ${path}` })
  return app.api.get(place, { token: tokenFor(operation), headers })
}

const tagOf = (answer: Answer): string => answer.headers.get('etag') ?? 'none'

/** The thing as it is, with one field changed, as its operation takes it. */
const changedBody = (operation: Operation, { body }: Answer, n: number): Record<string, unknown> => {
  const { properties = {} } = operation.requestBody?.content['application/json']?.schema ?? {}
  const kept = Object.keys(properties).filter((field) => body[field] !== undefined)
  return { ...Object.fromEntries(kept.map((field) => [field, body[field]])), ...CHANGES[nameOf(operation)]?.(n) }
}

const change = (operation: Operation, body: unknown, headers: Record<string, string>): Promise<Answer> => {
  const method = operation.method === 'PATCH' ? 'patch' : 'put'
  return app.api[method](existingPath(fixtures, operation), { token: tokenFor(operation), body, headers })
}

test('every operation that can be made conditional is tried here', () => {
  expect(changing().map(nameOf).sort()).toEqual(Object.keys(CHANGES).sort())
})

test('200 and 304: a thing tells a strong ETag, and is not sent again to who has it', async () => {
  for (const operation of changing()) {
    const first = await read(operation)
    expect([operation.name, first.status, tagOf(first)]).toEqual([
      operation.name,
      200,
      expect.stringMatching(/^"[\w-]{27}"$/),
    ])
    for (const seen of [tagOf(first), `W/${tagOf(first)}`, `"other", ${tagOf(first)}`, '*']) {
      const { status, text, headers } = await read(operation, { 'if-none-match': seen })
      expect([operation.name, seen, status, text, headers.get('etag')]).toEqual([
        operation.name,
        seen,
        304,
        '',
        tagOf(first),
      ])
    }
    expect((await read(operation, { 'if-none-match': '"other"' })).body).toEqual(first.body)
  }
})

test('412: what has changed since, or is compared weakly, is not changed', async () => {
  for (const operation of changing()) {
    const before = await read(operation)
    for (const [n, tag] of ['"other"', `W/${tagOf(before)}`, `"other", W/${tagOf(before)}`].entries()) {
      const answer = await change(operation, changedBody(operation, before, 50 + n), { 'if-match': tag })
      expect([operation.name, tag, answer.status, answer.body?.code]).toEqual([
        operation.name,
        tag,
        412,
        'precondition.failed',
      ])
    }
    expect([operation.name, tagOf(await read(operation))]).toEqual([operation.name, tagOf(before)])
  }
})

test('200: what is still as it was read is changed, and so is anything for a star', async () => {
  for (const operation of changing()) {
    const before = await read(operation)
    const tags = `"other", ${tagOf(before)}`
    expect([
      operation.name,
      (await change(operation, changedBody(operation, before, 1), { 'if-match': tags })).status,
    ]).toEqual([operation.name, 200])
    expect(tagOf(await read(operation))).not.toBe(tagOf(before))
    const again = await read(operation)
    expect([
      operation.name,
      (await change(operation, changedBody(operation, again, 2), { 'if-match': '*' })).status,
    ]).toEqual([operation.name, 200])
  }
})

test('200 and 412: of changes at the same moment that saw the same thing exactly one is made', async () => {
  for (const operation of changing()) {
    const before = await read(operation)
    const tries = Array.from({ length: TRIES }, (_, n) =>
      change(operation, changedBody(operation, before, 10 + n), { 'if-match': tagOf(before) }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    const lost = Array(TRIES - 1).fill(412)
    expect([operation.name, statuses.sort()]).toEqual([operation.name, [200, ...lost]])
  }
})
