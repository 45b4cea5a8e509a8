import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/actor.ts'
import { ADMIN_ROLES, MEMBER_ROLES } from '../../src/domain/roles.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { scopedToken } from '../support/customers.ts'
import {
  createFixtures,
  exampleBody,
  existingPath,
  type Fixtures,
  missingPath,
  neededHeaders,
} from '../support/fixtures.ts'
import { documentedCodes, type OpenapiDocument, type Operation, operationsOf } from '../support/openapi-document.ts'
import { administratorWith, joinTeam } from '../support/team.ts'

type Guarded = Operation & { access: string; scope: string | undefined }

let app: TestApp
let fixtures: Fixtures
let operations: Guarded[]
let administrators: Map<string, string>

const rowsOf = (lines: readonly string[]) =>
  new Map(
    lines.map((line) => {
      const [method, path = '', access = '', scope] = line.replace(' step-up', '').split(' ')
      return [`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, { access, scope }]
    }),
  )

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  const rows = rowsOf(app.app.accessTable)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument).map((operation) => {
    const row = rows.get(operation.name)
    if (row === undefined) throw new Error(`${operation.name} is not in the access table`)
    return { ...operation, ...row }
  })
  // Before the policy asks for two people to make them.
  administrators = new Map()
  for (const role of ADMIN_ROLES) administrators.set(role, (await administratorWith(app, fixtures.admin, role)).token)
})

afterAll(() => app.close())

const call = (operation: Operation, path: string, token?: string): Promise<Answer> => {
  const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return app.api[method](path, { token, body: exampleBody(operation), headers: neededHeaders(operation) })
}

type Side = 'seller' | 'admin'

/** The roles of a side that may call an operation, as the table has them. */
const rolesFor = (side: Side, { access }: Guarded): string[] =>
  access.split('+').flatMap((part) => (part.startsWith(`${side}:`) ? part.slice(side.length + 1).split(',') : []))

const isFor = (side: Side) => (operation: Guarded) => rolesFor(side, operation).length > 0

const refusals = async (calls: readonly Guarded[], token: string | undefined, path = missingPath) => {
  const answers: [string, number, string][] = []
  for (const operation of calls) {
    const { status, body } = await call(operation, path(operation), token)
    answers.push([operation.name, status, body?.code])
  }
  return answers
}

const all = (calls: readonly Operation[], status: number, code: string) => calls.map(({ name }) => [name, status, code])

// Whoever is let in meets the operation itself: a missing thing, a rule, or a success.
const isLetIn = (status: number, code: string | undefined): boolean =>
  status < 500 && !['auth.forbidden', 'auth.scope_missing'].includes(code ?? '') && !code?.startsWith('auth.token')

const shutOut = (answers: readonly [string, number, string][]) =>
  answers.filter(([, status, code]) => !isLetIn(status, code))

test('every path parameter names a thing that the fixtures made', () => {
  for (const operation of operations) expect(existingPath(fixtures, operation)).not.toContain('{')
})

test('401: nobody gets past an operation that is not public', async () => {
  const guarded = operations.filter(({ access }) => access !== 'public')
  expect(guarded.length).toBeGreaterThan(60)
  expect(await refusals(guarded, undefined)).toEqual(all(guarded, 401, 'auth.token_missing'))
  expect(await refusals(guarded, 'no.such.token')).toEqual(all(guarded, 401, 'auth.token_invalid'))
})

test('public operations ask nobody for a token', async () => {
  const open = operations.filter(({ access }) => access === 'public')
  const answers = await refusals(open, undefined)
  // 400 is about the token of a link.
  expect(answers.filter(([, status, code]) => status !== 400 && code?.startsWith('auth.token'))).toEqual([])
})

test('403: a seller is kept from what only administrators do, and an administrator from what only sellers do', async () => {
  const guarded = operations.filter(({ access }) => access !== 'public')
  const notForSellers = guarded.filter((operation) => !isFor('seller')(operation))
  expect(await refusals(notForSellers, fixtures.seller.token)).toEqual(all(notForSellers, 403, 'auth.forbidden'))
  const notForAdmins = guarded.filter((operation) => !isFor('admin')(operation))
  expect(await refusals(notForAdmins, fixtures.admin)).toEqual(all(notForAdmins, 403, 'auth.forbidden'))
})

test.each(SCOPES)('API credentials with %s alone do what it names, and without it nothing of that', async (scope) => {
  const named = operations.filter((operation) => operation.scope === scope)
  const others = operations.filter((operation) => isFor('seller')(operation) && operation.scope !== scope)
  const alone = await scopedToken(app, fixtures.seller, [scope])
  expect(shutOut(await refusals(named, alone))).toEqual([])
  expect(await refusals(others, alone)).toEqual(all(others, 403, 'auth.scope_missing'))
  const without = await scopedToken(
    app,
    fixtures.seller,
    SCOPES.filter((other) => other !== scope),
  )
  expect(await refusals(named, without)).toEqual(all(named, 403, 'auth.scope_missing'))
})

test('API credentials with every scope cannot do what needs a person', async () => {
  const token = await scopedToken(app, fixtures.seller, SCOPES)
  const interactive = operations.filter(({ scope }) => scope === 'interactive')
  expect(interactive.length).toBeGreaterThan(4)
  expect(await refusals(interactive, token)).toEqual(all(interactive, 403, 'auth.scope_missing'))
})

const named = () =>
  operations.filter((operation) => operation.path.includes('{') && documentedCodes(operation, 404).length > 0)

const comparable = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: '' } })

test("404: somebody else's thing is answered word for word like one that does not exist", async () => {
  const foreign = named().filter((operation) => isFor('seller')(operation) && operation.path !== '/api/v1/fees/{id}')
  for (const operation of foreign) {
    const theirs = await call(operation, existingPath(fixtures, operation), fixtures.stranger.token)
    const missing = await call(operation, missingPath(operation), fixtures.stranger.token)
    expect([operation.name, comparable(theirs)]).toEqual([operation.name, comparable(missing)])
    expect([operation.name, theirs.status]).toEqual([operation.name, 404])
  }
})

test('404: an id that nothing has is answered with a documented code of the thing', async () => {
  for (const operation of named()) {
    const token = isFor('seller')(operation) ? fixtures.seller.token : fixtures.admin
    const { status, body } = await call(operation, missingPath(operation), token)
    expect([operation.name, status, documentedCodes(operation, 404)]).toEqual([
      operation.name,
      operation.access === 'public' ? expect.any(Number) : 404,
      expect.arrayContaining([body?.code]),
    ])
  }
})

const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

// Reading first, ending things last, and people and their sessions after their things.
const byHarm = (left: Operation, right: Operation): number =>
  ORDER.indexOf(left.method) - ORDER.indexOf(right.method) ||
  Number(left.path.includes('/users')) - Number(right.path.includes('/users'))

// What an administrator may do only to themselves, and what the acquirer knows only of payouts that were sent to it.
const NOT_THEIRS: Readonly<Record<string, readonly string[]>> = {
  seller: ['POST /api/v1/sandbox/withdrawals/{id}/settle'],
  admin: [
    // Which, and who, the seller has ended before.
    'DELETE /api/v1/users/{id}/sessions/{sessionId}',
    'PUT /api/v1/admin/users/{id}/block',
    'PUT /api/v1/admin/users/{id}/unblock',
    'GET /api/v1/users/{id}/notifications',
    'PUT /api/v1/users/{id}/notifications',
    'PUT /api/v1/users/{id}/password',
    'GET /api/v1/users/{id}/notifications',
    'PUT /api/v1/users/{id}/email',
    'PUT /api/v1/users/{id}/notifications',
    'POST /api/v1/users/{id}/totp',
    'POST /api/v1/users/{id}/totp/confirm',
    'POST /api/v1/users/{id}/totp/disable',
  ],
}

const SESSIONS = /\/(auth|integrations)\//

test.each(['seller', 'admin'] as const)(
  'the %s of a thing finds it with every operation that is theirs',
  async (role) => {
    const calls = operations
      .filter((operation) => isFor(role)(operation) && !SESSIONS.test(operation.path))
      .filter(({ name }) => !NOT_THEIRS[role]?.includes(name))
      .sort(byHarm)
    const token = role === 'seller' ? fixtures.seller.token : fixtures.admin
    const lost: [string, number, string][] = []
    for (const operation of calls) {
      const { status, text } = await call(operation, existingPath(fixtures, operation), token)
      const isDocumented = status < 300 || status === 409 || status === 422
      if (!isDocumented) lost.push([operation.name, status, text])
    }
    expect(lost).toEqual([])
  },
)

const expectOnly = async (side: Side, role: string, token: string): Promise<void> => {
  const theirs = operations.filter((operation) => isFor(side)(operation) && !SESSIONS.test(operation.path))
  const [open, closed] = [true, false].map((is) => theirs.filter((one) => rolesFor(side, one).includes(role) === is))
  expect(shutOut(await refusals(open ?? [], token))).toEqual([])
  expect(await refusals(closed ?? [], token)).toEqual(all(closed ?? [], 403, 'auth.forbidden'))
}

test.each(MEMBER_ROLES)('a member who is %s is let in where the table says so, and nowhere else', async (role) => {
  const { token } = await joinTeam(app, fixtures.stranger, role)
  await expectOnly('seller', role, token)
})

test.each(ADMIN_ROLES)(
  'an administrator who is %s is let in where the table says so, and nowhere else',
  async (role) => {
    await expectOnly('admin', role, administrators.get(role) ?? '')
  },
)
