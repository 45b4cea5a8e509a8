import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { branchesOf, fieldsOf, withField } from '../support/bad-values.ts'
import { createFixtures, exampleBody, existingPath, type Fixtures, neededHeaders } from '../support/fixtures.ts'
import { type OpenapiDocument, type Operation, operationsOf, type Schema } from '../support/openapi-document.ts'

const DATES = ['2026-02-31', '2026-13-01', '2026-00-10', '0000-01-01', '10000-01-01', '-000001-01-01', '2026-1-1']

const INSTANTS = [
  '2026-02-31T00:00:00Z',
  '2026-11-21T24:00:01Z',
  '2026-11-21T23:60:00Z',
  '2026-11-21T12:00:00',
  '2026-11-21T12:00:00+25:00',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-03:00',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'NaN',
]

/** Out of what some fields take, and within what others do. */
const REMOTE = ['0001-01-01', '1000-01-01', '9999-12-30', '9999-12-31']
const REMOTE_INSTANTS = ['0001-01-01T00:00:00Z', '1913-12-31T23:59:59Z', '9999-12-31T23:59:59.999Z']

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
})

afterAll(() => app.close())

const tokenFor = ({ method, path }: Operation): string | undefined => {
  const route = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} `
  const access = app.app.accessTable.find((line) => line.startsWith(route)) ?? ''
  if (access.includes(' public')) return undefined
  return access.includes(' seller') ? fixtures.seller.token : fixtures.admin
}

// A text that may be either is told by its pattern.
const formatsOf = (schema: Schema): string[] =>
  branchesOf(schema).flatMap(({ format, pattern }) =>
    pattern?.startsWith('^\\d{4}-\\d{2}-\\d{2}') ? ['date', 'date-time'] : (format ?? []),
  )

/** A place of a request that holds a date or an instant, and a request with a value in it. */
type Place = { name: string; operation: Operation; formats: string[]; send: (value: string) => Promise<number> }

const call = async (operation: Operation, path: string, body: unknown): Promise<number> => {
  const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  const headers = neededHeaders(operation)
  return (await app.api[method](path, { token: tokenFor(operation), headers, body })).status
}

const isTemporal = (schema: Schema): boolean =>
  formatsOf(schema).some((format) => format === 'date' || format === 'date-time')

const parameterPlaces = (operation: Operation): Place[] =>
  (operation.parameters ?? [])
    .filter(({ in: place, schema }) => place !== 'header' && isTemporal(schema))
    .map(({ in: place, name, schema }) => ({
      name: `${operation.name} ${place}.${name}`,
      operation,
      formats: formatsOf(schema),
      send: (value) => {
        const text = encodeURIComponent(value)
        const path =
          place === 'query'
            ? `${existingPath(fixtures, operation)}?${name}=${text}`
            : operation.path.replace(`{${name}}`, text)
        return call(operation, path, exampleBody(operation))
      },
    }))

const bodyPlaces = (operation: Operation): Place[] => {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema === undefined) return []
  return fieldsOf(schema)
    .filter((field) => isTemporal(field.schema))
    .map(({ path, schema: field }) => ({
      name: `${operation.name} body.${path.join('.')}`,
      operation,
      formats: formatsOf(field),
      send: (value) =>
        call(operation, existingPath(fixtures, operation), withField(exampleBody(operation), path, value)),
    }))
}

const places = (): Place[] =>
  operations.flatMap((operation) => [...parameterPlaces(operation), ...bodyPlaces(operation)])

const answers = async (values: (place: Place) => readonly string[], isFault: (status: number) => boolean) => {
  const faults: string[] = []
  for (const place of places()) {
    for (const value of values(place)) {
      const status = await place.send(value)
      if (isFault(status)) faults.push(`${place.name} ${value}: ${status}`)
    }
  }
  return faults
}

test('every date and instant that a request can hold is found in the document', () => {
  expect(places().length).toBeGreaterThanOrEqual(60)
})

test('400: no operation takes a date or an instant that does not exist or lies beyond four digits', async () => {
  expect(
    await answers(
      () => [...DATES, ...INSTANTS],
      (status) => status !== 400,
    ),
  ).toEqual([])
}, 60_000)

test('200 or 400: the first and the last years that can be written are never a fault of ours', async () => {
  const remote = ({ formats }: Place) => (formats.includes('date') ? [...REMOTE, ...REMOTE_INSTANTS] : REMOTE_INSTANTS)
  expect(await answers(remote, (status) => status >= 500)).toEqual([])
}, 60_000)

test('400: months that do not exist or lie beyond four digits', async () => {
  for (const month of ['2026-00', '2026-13', '0000-01', '9999-12', '10000-01', '+010000-01', '2026-1', '2026']) {
    const answer = await app.api.get(`admin/billing?month=${encodeURIComponent(month)}`, { token: fixtures.admin })
    expect([month, answer.status]).toEqual([month, 400])
  }
})
