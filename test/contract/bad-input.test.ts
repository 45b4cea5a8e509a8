import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleOf } from '../../src/http/openapi-examples.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { badValues, branchesOf, closedObjects, fieldsOf, itemsOf, withField } from '../support/bad-values.ts'
import { createFixtures, exampleBody, existingPath, type Fixtures, neededHeaders } from '../support/fixtures.ts'
import {
  type OpenapiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from '../support/openapi-document.ts'

type Fault = { in: string; path: string }
type Request = { path: string; body?: unknown; headers: Record<string, string> }
type Case = { operation: Operation; why: string; fault: Fault; request: Request }

const CONCURRENCY = 12

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
})

afterAll(() => app.close())

const roles = () =>
  new Map(app.app.accessTable.map((line) => [line.split(' ').slice(0, 2).join(' '), line.split(' ')[2]]))

const tokenFor = ({ method, path }: Operation): string | undefined => {
  const access = roles().get(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  return access === 'public' ? undefined : access?.includes('seller') ? fixtures.seller.token : fixtures.admin
}

const send = ({ operation, request: { path, ...rest } }: Pick<Case, 'operation' | 'request'>): Promise<Answer> => {
  const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return app.api[method](path, { token: tokenFor(operation), ...rest })
}

const names = ({ body, status }: Answer, { in: place, path }: Fault): boolean =>
  status === 400 && (body.errors ?? []).some((fault: Fault) => fault.in === place && fault.path === path)

/** Sends them all, some at a time, and answers those that were not refused as they should. */
const notRefused = async (cases: readonly Case[]): Promise<string[]> => {
  const found: string[] = []
  const waiting = [...cases]
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const answer = await send(next).catch((error: Error) => ({ status: 0, text: error.message, body: {} }) as Answer)
      if (names(answer, next.fault)) continue
      const { operation, why, fault } = next
      found.push(`${operation.name} ${fault.in}.${fault.path} ${why}: ${answer.status} ${answer.text.slice(0, 400)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return found.sort()
}

const baseOf = (operation: Operation): Request => ({
  path: existingPath(fixtures, operation),
  body: exampleBody(operation),
  headers: neededHeaders(operation),
})

const jsonSchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema

const jsonOperations = () =>
  operations.flatMap((operation) => {
    const schema = jsonSchemaOf(operation)
    return schema === undefined ? [] : [{ operation, schema, base: baseOf(operation) }]
  })

const bodyCases = (): Case[] =>
  jsonOperations().flatMap(({ operation, schema, base }) =>
    fieldsOf(schema).flatMap(({ path, schema: field, required }) => {
      const fault = { in: 'body', path: path.join('.') }
      const parent = path.slice(0, -1)
      const parentSchema = fieldsOf(schema).find((place) => place.path.join('.') === parent.join('.'))?.schema
      // An object that the example leaves out comes whole, so that only the one field is at fault.
      const whole = parentSchema ? withField(base.body, parent, exampleOf(parentSchema)) : base.body
      const values = badValues(field, exampleOf(field))
      const all = required ? [{ why: 'missing', value: undefined }, ...values] : values
      return all.map(({ why, value }) => ({
        operation,
        why,
        fault,
        request: { ...base, body: withField(whole, path, value) },
      }))
    }),
  )

const itemCases = (): Case[] =>
  jsonOperations().flatMap(({ operation, schema, base }) =>
    fieldsOf(schema).flatMap(({ path, schema: field }) =>
      itemsOf(field).flatMap((items) =>
        badValues(items, exampleOf(items)).map(({ why, value }) => ({
          operation,
          why: `${why}, in a list`,
          fault: { in: 'body', path: [...path, '0'].join('.') },
          request: { ...base, body: withField(base.body, path, [value]) },
        })),
      ),
    ),
  )

const unknownCases = (): Case[] =>
  jsonOperations().flatMap(({ operation, schema, base }) =>
    closedObjects(schema).map((path) => {
      const parentSchema = fieldsOf(schema).find((place) => place.path.join('.') === path.join('.'))?.schema
      const whole = parentSchema ? withField(base.body, path, exampleOf(parentSchema)) : base.body
      const at = [...path, 'surprise']
      return {
        operation,
        why: 'an unknown field',
        fault: { in: 'body', path: at.join('.') },
        request: { ...base, body: withField(whole, at, 1) },
      }
    }),
  )

const NO_BODIES: readonly [why: string, body: unknown][] = [
  ['no body', undefined],
  ['null', 'null'],
  ['a list', []],
  ['a text', '"text"'],
  ['half a body', '{"a":'],
  ['a number', '1e999'],
]

const wholeBodyCases = (): Case[] =>
  jsonOperations().flatMap(({ operation, base }) => {
    const fault = { in: 'body', path: '' }
    const tried = operation.requestBody?.required === false ? NO_BODIES.slice(2) : NO_BODIES
    return tried.map(([why, body]) => ({ operation, why, fault, request: { ...base, body } }))
  })

const DEEP = `${'{"surprise":'.repeat(5_000)}1${'}'.repeat(5_000)}`

const hostileCases = (): Case[] =>
  jsonOperations().flatMap(({ operation, base }) => {
    const at = (why: string, body: unknown, path: string) => ({
      operation,
      why,
      fault: { in: 'body', path },
      request: { ...base, body },
    })
    return [
      at('NUL', '{"surprise":"a\\u0000b"}', 'surprise'),
      at('a lone surrogate', '{"surprise":"\\ud800"}', 'surprise'),
      at('deep nesting', DEEP, 'surprise.surprise.surprise'),
      at('a forbidden name', '{"__proto__":{"role":"admin"}}', '__proto__'),
      at('a number without end', `{"surprise":${'9'.repeat(400)}}`, 'surprise'),
    ]
  })

const queryOf = (path: string, values: readonly [string, string][]): string =>
  `${path}?${new URLSearchParams([...values])}`

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

type BadQuery = [why: string, values: [string, string][]]

const twice = ({ name, schema }: Parameter): BadQuery => {
  const once: [string, string] = [name, String(exampleOf(schema))]
  return ['twice', [once, once]]
}

const badQuery = (parameter: Parameter): BadQuery[] => {
  const { name, schema } = parameter
  const item = schema.items ?? schema
  const isNumber = [item.type].flat().some((type) => type === 'integer' || type === 'number')
  const values = badValues(item).filter(({ value }) => isText(value))
  const meant = values.filter(({ why }) => !why.startsWith('a value of the type integer'))
  const alone = ({ why, value }: { why: string; value: unknown }): BadQuery => [why, [[name, String(value)]]]
  return [
    ...meant.map(alone),
    ...(isNumber ? [alone({ why: 'hexadecimal', value: '0x10' })] : []),
    ...(schema.items === undefined ? [twice(parameter)] : []),
  ]
}

const queryCases = (): Case[] =>
  operations.flatMap((operation) => {
    const base = baseOf(operation)
    return (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) =>
        badQuery(parameter).map(([why, values]) => ({
          operation,
          why,
          fault: {
            in: 'query',
            path: parameter.schema.items && why !== 'too many' ? `${parameter.name}.0` : parameter.name,
          },
          request: { ...base, path: queryOf(base.path, values) },
        })),
      )
  })

const unknownQueryCases = (): Case[] =>
  operations
    .filter(({ parameters = [] }) => parameters.some((parameter) => parameter.in === 'query'))
    .map((operation) => {
      const base = baseOf(operation)
      const request = { ...base, path: `${base.path}?surprise=1` }
      return { operation, why: 'an unknown field', fault: { in: 'query', path: 'surprise' }, request }
    })

// The other ids are those of existing things.
const pathWith = (operation: Operation, name: string, value: string): string => {
  const existing = existingPath(fixtures, operation).split('/')
  const place = operation.path.split('/').indexOf(`{${name}}`)
  return existing.with(place, encodeURIComponent(value)).join('/')
}

const pathCases = (): Case[] =>
  operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path' && parameter.schema.format === 'uuid')
      .flatMap((parameter) =>
        badValues(parameter.schema)
          .filter(({ value }) => typeof value === 'string' && value !== '')
          .map(({ why, value }) => {
            const base = baseOf(operation)
            const path = pathWith(operation, parameter.name, String(value))
            return { operation, why, fault: { in: 'params', path: parameter.name }, request: { ...base, path } }
          }),
      ),
  )

const headerCases = (): Case[] =>
  operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'header')
      .flatMap(({ name, required }) => {
        const base = baseOf(operation)
        const at = (why: string, headers: Record<string, string>) => ({
          operation,
          why,
          fault: { in: 'headers', path: name },
          request: { ...base, headers },
        })
        return [
          at('too long', { [name]: 'a'.repeat(256) }),
          at('with a space', { [name]: 'a b' }),
          ...(required ? [at('missing', {})] : []),
        ]
      }),
  )

const LONG_MS = 60_000

test.each([
  ['a field of a body that breaks a rule', bodyCases, 1_000],
  ['an item of a list that breaks a rule', itemCases, 20],
  ['a field that no body has', unknownCases, 30],
  ['a body that is none', wholeBodyCases, 100],
  ['a body that means harm', hostileCases, 100],
  ['a query field that breaks a rule', queryCases, 300],
  ['a query field that no list has', unknownQueryCases, 15],
  ['an id that is none', pathCases, 100],
  ['a header that breaks a rule', headerCases, 15],
])('400: %s is named, by every operation', { timeout: LONG_MS }, async (_what, casesOf, least) => {
  const cases = casesOf()
  expect(cases.length).toBeGreaterThan(least)
  expect(await notRefused(cases)).toEqual([])
})

test('415: no operation with a body takes it as something else', async () => {
  for (const { operation, base } of jsonOperations()) {
    const answer = await send({
      operation,
      request: { ...base, body: 'text', headers: { 'content-type': 'text/plain' } },
    })
    expect([operation.name, answer.status]).toEqual([operation.name, 415])
  }
})

test('an id in a body that nothing has is refused as the document says', async () => {
  const cases = jsonOperations().flatMap(({ operation, schema, base }) =>
    fieldsOf(schema)
      .filter(({ schema: field }) => branchesOf(field).some(({ format }) => format === 'uuid'))
      .map(({ path }) => ({ operation, request: { ...base, body: withField(base.body, path, randomUUID()) } })),
  )
  expect(cases.length).toBeGreaterThan(2)
  for (const { operation, request } of cases) {
    const { status, text } = await send({ operation, request: { ...request, headers: neededHeaders(operation) } })
    expect([operation.name, status >= 400 && status < 500, text]).toEqual([operation.name, true, text])
  }
})
