import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUBLIC_OWNER_ID } from '../../src/ids.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { createFixtures, exampleBody, existingPath, type Fixtures, missingPath } from '../support/fixtures.ts'
import { documentedCodes, type OpenapiDocument, type Operation, operationsOf } from '../support/openapi-document.ts'
import { accountRefusals } from '../support/refusals/accounts.ts'
import { cardRefusals } from '../support/refusals/cards.ts'
import { companyRefusals } from '../support/refusals/companies.ts'
import { linkRefusals } from '../support/refusals/links.ts'
import { correctionRefusals, lateRefusals, moneyRefusals } from '../support/refusals/money.ts'
import { platformRefusals } from '../support/refusals/platform.ts'
import { createWorld, type World } from '../support/refusals/world.ts'
import { claimsOf } from '../support/tokens.ts'

const REFUSALS = {
  ...accountRefusals,
  ...companyRefusals,
  ...cardRefusals,
  ...moneyRefusals,
  ...linkRefusals,
  ...platformRefusals,
  ...correctionRefusals,
}

let app: TestApp
let fixtures: Fixtures
let world: World
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  world = await createWorld(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
})
afterAll(() => app.close())

// Who may call, what is no input at all, too many calls and our own failures: of every operation, and tested as such.
const GENERAL =
  /^(auth\.(token_|forbidden|scope_missing|address_not_allowed|step_up_required|second_factor_required|password_change_required)|server\.|validation\.|idempotency\.|precondition\.|payment\.provider_unavailable)/

const shortName = ({ name }: Operation): string => name.replace('/api/v1', '')

const codesOf = (operation: Operation): string[] =>
  Object.keys(operation.responses)
    .filter((status) => Number(status) >= 400)
    .flatMap((status) => documentedCodes(operation, status))

const missingCode = (operation: Operation): string | undefined => documentedCodes(operation, 404).at(0)

const roleOf = (): Map<string, string> =>
  new Map(
    app.app.accessTable
      .map((line) => line.split(' '))
      .map(([method, path, access = '']) => [`${method} ${path}`, access]),
  )

const tokenFor = ({ method, path }: Operation): string | undefined => {
  const access = roleOf().get(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  return access === 'public' ? undefined : access?.includes('seller') ? fixtures.seller.token : fixtures.admin
}

const send = (operation: Operation, path: string, headers: Record<string, string>, body = exampleBody(operation)) => {
  const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return app.api[method](path, { token: tokenFor(operation), body, headers })
}

// Somebody else who does not answer is no fault of ours: 503 is said in so many words, 500 never.
const isRefusal = (status: number): boolean => (status >= 400 && status < 500) || status === 503
const refusalOf = ({ status, body }: Answer) => ({ isRefused: isRefusal(status), code: body?.code })

test('every refusal that an operation documents as its own has a scenario here', () => {
  const own = operations.flatMap((operation) => {
    const codes = codesOf(operation).filter((code) => !GENERAL.test(code))
    const told = operation.path.includes('{') ? codes.filter((code) => code !== missingCode(operation)) : codes
    return told.map((code) => `${shortName(operation)} ${code}`)
  })
  expect(own.length).toBeGreaterThan(80)
  expect(own.sort()).toStrictEqual(Object.keys({ ...REFUSALS, ...lateRefusals }).sort())
})

test.each(Object.entries(REFUSALS))('%s', async (name, refuse) => {
  expect(refusalOf(await refuse(world))).toStrictEqual({ isRefused: true, code: name.split(' ')[2] })
})

test('an id that nothing has is refused with the first code that is documented for it', async () => {
  const named = operations.filter((operation) => operation.path.includes('{') && missingCode(operation) !== undefined)
  expect(named.length).toBeGreaterThan(40)
  for (const operation of named) {
    const answer = await send(operation, missingPath(operation), { 'idempotency-key': randomUUID() })
    expect([operation.name, refusalOf(answer).code]).toStrictEqual([operation.name, missingCode(operation)])
  }
})

const repeatable = () => operations.filter((operation) => codesOf(operation).includes('idempotency.key_reused'))

const ownerOf = (operation: Operation): string => {
  const token = tokenFor(operation)
  return token === undefined ? PUBLIC_OWNER_ID : claimsOf(token).sub
}

test('422: no operation that takes a key acts under one that stands for another body', async () => {
  expect(repeatable().length).toBeGreaterThan(8)
  for (const operation of repeatable()) {
    const path = existingPath(fixtures, operation)
    const key = randomUUID()
    await app.sql.query(
      `insert into idempotency_keys (owner_id, operation, key, request_hash, status, body, created_at)
       values ($1, $2, $3, 'of another body', 200, '{}', now())`,
      [ownerOf(operation), `${operation.method} ${path}`, key],
    )
    const { status, body } = await send(operation, path, { 'idempotency-key': key })
    expect([operation.name, status, body.code]).toStrictEqual([operation.name, 422, 'idempotency.key_reused'])
  }
})

const whileHeld = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const holder = await app.sql.connect()
  try {
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    return await work()
  } finally {
    await holder.query('select pg_advisory_unlock_all()')
    holder.release()
  }
}

test('409: no operation that takes a key acts while another request has it', async () => {
  for (const operation of repeatable()) {
    const path = existingPath(fixtures, operation)
    const key = randomUUID()
    const answer = await whileHeld(JSON.stringify([ownerOf(operation), `${operation.method} ${path}`, key]), () =>
      send(operation, path, { 'idempotency-key': key }),
    )
    const told = [operation.name, answer.status, answer.body.code, answer.headers.get('retry-after')]
    expect(told).toStrictEqual([operation.name, 409, 'idempotency.in_progress', '1'])
  }
})

const JSON_LIMIT_BYTES = 1_048_576

test('413: no operation reads a body without end', async () => {
  const takers = operations.filter((operation) => codesOf(operation).includes('server.payload_too_large'))
  const withJson = takers.filter(({ requestBody }) => requestBody?.content['application/json'])
  expect(withJson.length).toBeGreaterThan(25)
  for (const operation of withJson) {
    const body = JSON.stringify({ surprise: 'a'.repeat(JSON_LIMIT_BYTES) })
    const answer = await send(operation, existingPath(fixtures, operation), {}, body)
    expect([operation.name, answer.status, answer.body.code]).toStrictEqual([
      operation.name,
      413,
      'server.payload_too_large',
    ])
  }
})

test.each(Object.entries(lateRefusals))('%s', async (name, refuse) => {
  expect(refusalOf(await refuse(world))).toStrictEqual({ isRefused: true, code: name.split(' ')[2] })
})
