import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type OpenapiDocument, operationsOf, type Schema } from '../support/openapi-document.ts'
import { openapiFaults } from '../support/openapi-faults.ts'

let app: TestApp
let document: OpenapiDocument

beforeAll(async () => {
  app = await startTestApp()
  document = (await app.api.get('/openapi.json')).body
})

afterAll(() => app.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )

test('the document is complete: every operation is named and explained, every field described and bounded', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(openapiFaults(document)).toEqual([])
})

test('every route of the API is in the document, with the security of its access', () => {
  const documented = new Map(operations().map(({ name, operation }) => [name.replace(/\{(\w+)\}/g, ':$1'), operation]))
  for (const line of app.app.accessTable.filter((entry) => entry.includes(' /api/v1'))) {
    const [method, path, access, scope] = line.replace(' step-up', '').split(' ')
    const security = documented.get(`${method} ${path}`)?.security
    const scopes = scope === undefined || scope === 'interactive' ? [] : [scope]
    expect([line, security]).toEqual([line, access === 'public' ? [] : [{ bearer: scopes }]])
  }
})

test('paths are in kebab case', () => {
  const words = Object.keys(document.paths).flatMap((path) => path.replaceAll(/\{\w+\}/g, '').split('/'))
  expect(words.filter((word) => !/^[a-z0-9-]*$/.test(word))).toEqual([])
})

test('operation ids are unique', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

// A provider's callbacks are never told to come back later: their signature guards them.
const commonRefusals = (name: string, isGuarded: boolean): string[] => {
  const limited = name === 'POST /callbacks/{provider}' ? [] : ['429']
  return [...(isGuarded ? ['401', '403'] : []), ...limited, '500', '503']
}

// What RFC 6749 has a word for is refused in its way.
const shapeOf = (operationId: string | undefined, status: string) => {
  const isOauth = operationId === 'loginIntegration' && ['400', '401'].includes(status)
  if (isOauth) return { type: 'application/json', schema: 'OAuthError' }
  return { type: 'application/problem+json', schema: status === '401' ? 'UnauthorizedError' : 'StandardError' }
}

const shown = (example: object, code: string): object =>
  '$ref' in example ? (document.components.examples[code] ?? example) : example

test('every operation documents its refusals in the two shapes, with an example per code', () => {
  for (const { name, operation } of operations()) {
    const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    const expected = commonRefusals(name, operation.security.length > 0)
    expect([name, refusals.map(([status]) => status)]).toEqual([name, expect.arrayContaining(expected)])
    for (const [status, { content }] of refusals) {
      const { type, schema } = shapeOf(operation.operationId, status)
      const problem = content?.[type]
      expect(problem?.schema).toEqual({ $ref: `#/components/schemas/${schema}` })
      const examples = Object.entries(problem?.examples ?? {}).map(([code, example]) => [code, shown(example, code)])
      expect(examples).toEqual(
        examples.map(([code]) => [code, { value: expect.objectContaining({ code, status: Number(status) }) }]),
      )
    }
  }
})

const LOOSE = {
  operationId: 'createLoose',
  summary: 'Create',
  description: 'Creates.',
  tags: ['Payments'],
}

test.each([
  [
    'an unbounded text',
    { body: z.strictObject({ a: z.string().meta({ description: 'A.' }) }) },
    'body.a: text without a bound',
  ],
  [
    'an unbounded list',
    { body: z.strictObject({ a: z.array(z.boolean()).meta({ description: 'A.' }) }) },
    'body.a: list without a bound',
  ],
  [
    'an open object',
    { body: z.object({ a: z.boolean().meta({ description: 'A.' }) }) },
    'body: object that takes any field',
  ],
  ['a field without a description', { body: z.strictObject({ a: z.boolean() }) }, 'body.a: no description'],
  ['an answer without a description', { response: { 200: z.object({ a: z.boolean() }) } }, '200.a: no description'],
  [
    'a parameter without a bound',
    { querystring: z.object({ q: z.string().meta({ description: 'Q.' }) }) },
    'query.q: text without a bound',
  ],
  ['no summary', { summary: undefined }, 'no summary'],
  ['an unknown tag', { tags: ['Misc'] }, 'unknown tag Misc'],
])('a planted operation with %s is found', async (_what, schema, fault) => {
  const database = await createTestDatabase()
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (planted) => {
      planted.post(
        '/loose',
        { config: { access: 'public' }, schema: { ...LOOSE, ...schema } as never },
        async () => ({}),
      )
    },
  })
  const planted = (await server.api.get('/openapi.json')).body
  await server.close()
  await database.drop()
  expect(openapiFaults(planted)).toEqual([`POST /loose ${fault}`])
})

test('every JSON answer of the API is a schema with a name, and no two names stand for the same', () => {
  const answers = operations()
    .filter(({ name }) => name.includes(' /api/v1/'))
    .flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        return schema === undefined || schema.$ref ? [] : [`${name} ${status}`]
      }),
    )
  expect(answers).toEqual([])
  const shapes = Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith('EventData'))
    .map(([name, { description: _description, ...shape }]) => [JSON.stringify(shape), name] as const)
  const twice = [...Map.groupBy(shapes, ([shape]) => shape).values()].filter((same) => same.length > 1)
  expect(twice).toEqual([])
})

const FORMATS: readonly [fields: RegExp, format: string][] = [
  [/^(.*E|e)mail$/, 'email'],
  [/^(.*U|u)rl$|^website$/, 'uri'],
  [/^(.*I|i)d$/, 'uuid'],
  [/At$|^respondBy$/, 'date-time'],
  [/^(.*D|d)ate$|On$/, 'date'],
]

// Ids that others made, and an instant that the interface calls a date.
const OTHER_IDS = /^(clientId|endToEndId|requestId)$|^legalRepStartDate$/

const textsOf = (schema: Schema, name = ''): [name: string, schema: Schema][] => [
  ...([schema.type].flat().includes('string') ? [[name, schema] as [string, Schema]] : []),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => textsOf(one, name)),
  ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => textsOf(inner, field)),
  ...(schema.items ? textsOf(schema.items, name) : []),
]

test('every e-mail address, URL, id, date and instant says so by its format, and every state names its values', () => {
  const bodies = operationsOf(document).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
  )
  const texts = bodies.flatMap(({ schema }) => textsOf(schema)).filter(([name]) => !OTHER_IDS.test(name))
  expect(texts.length).toBeGreaterThan(1_000)
  const wrong = texts.flatMap(([name, { format, enum: values }]) => {
    const [, expected] = FORMATS.find(([fields]) => fields.test(name)) ?? []
    if (name === 'status' && values === undefined) return [`${name} without values`]
    return expected === undefined || format === expected ? [] : [`${name} ${format}`]
  })
  expect([...new Set(wrong)]).toEqual([])
})

const headersOf = (name: string, status: string): string[] =>
  Object.keys(operations().find((entry) => entry.name === name)?.operation.responses[status]?.headers ?? {})

test('the headers of answers are declared', () => {
  expect(headersOf('GET /api/v1/payments', '200')).toEqual(['Link', 'Search-Complete', 'RateLimit', 'RateLimit-Policy'])
  expect(headersOf('POST /api/v1/payments', '201')).toEqual([
    'Idempotency-Replayed',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
  ])
  expect(headersOf('GET /api/v1/customers/{id}', '200')).toContain('ETag')
  expect(headersOf('POST /api/v1/payments', '429')).toEqual(['RateLimit', 'RateLimit-Policy', 'Retry-After'])
  expect(headersOf('POST /api/v1/payments', '503')).toEqual(['Retry-After'])
  expect(headersOf('POST /api/v1/payments', '401')).toEqual(['WWW-Authenticate'])
})

test('a route that names an unknown error stops the document', async () => {
  const database = await createTestDatabase()
  const server = await startHttpServer({
    databaseUrl: database.url,
    plant: (planted) => {
      const config = { access: 'public', errors: ['payment.no_such_code'] } as const
      planted.get('/loose', { config, schema: LOOSE as never }, async () => ({}))
    },
  })
  expect(() => server.app.swagger()).toThrow('unknown error payment.no_such_code')
  await server.close()
  await database.drop()
})
