import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { pdfBytes } from '../support/company.ts'
import { createFixtures, exampleBody, existingPath, type Fixtures } from '../support/fixtures.ts'
import { type OpenapiDocument, type Operation, operationsOf, type Schema } from '../support/openapi-document.ts'

const FORM = 'application/x-www-form-urlencoded'

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
})
afterAll(() => app.close())

const takers = (contentType: string) =>
  operations.flatMap((operation) => {
    const schema = operation.requestBody?.content[contentType]?.schema
    return schema === undefined ? [] : [{ operation, schema }]
  })

const send = ({ method, ...operation }: Operation, body: FormData | string, contentType?: string) => {
  const path = existingPath(fixtures, { method, ...operation })
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  const token = path.includes('/admin/') ? fixtures.admin : fixtures.seller.token
  return app.api[method.toLowerCase() as 'post' | 'put'](path, { token, body, headers })
}

type Change = { why: string; field: string; change: (form: FormData) => void }

const isFile = (schema: Schema): boolean => (schema.items ?? schema).format === 'binary'

const pdf = (): Blob => new Blob([new Uint8Array(pdfBytes())])

const fileChanges = (field: string): Change[] => [
  { why: 'a text in place of a file', field, change: (form) => form.set(field, 'text') },
  { why: 'an empty file', field, change: (form) => form.set(field, new Blob([]), 'empty.pdf') },
  { why: 'a card number as its name', field, change: (form) => form.set(field, pdf(), '4111 1111 1111 1111.pdf') },
]

const textChanges = (field: string, { maxLength, enum: values }: Schema): Change[] => [
  { why: 'a file in place of a text', field, change: (form) => form.set(field, pdf(), 'file.pdf') },
  { why: 'an empty text', field, change: (form) => form.set(field, '') },
  { why: 'a NUL', field, change: (form) => form.set(field, 'a\u0000b') },
  { why: 'a card number', field, change: (form) => form.set(field, '4111 1111 1111 1111') },
  ...(values
    ? [{ why: 'none of its values', field, change: (form: FormData) => form.set(field, 'none_of_these') }]
    : []),
  ...(maxLength
    ? [{ why: 'too long', field, change: (form: FormData) => form.set(field, 'a'.repeat(maxLength + 1)) }]
    : []),
]

const changesOf = ({ properties = {}, required = [] }: Schema): Change[] => [
  ...Object.entries(properties).flatMap(([field, schema]): Change[] => [
    ...(required.includes(field) ? [{ why: 'missing', field, change: (form: FormData) => form.delete(field) }] : []),
    ...(isFile(schema) ? fileChanges(field) : textChanges(field, schema.items ?? schema)),
  ]),
  { why: 'an unknown text', field: 'surprise', change: (form) => form.append('surprise', '1') },
  { why: 'an unknown file', field: 'surprise', change: (form) => form.append('surprise', pdf(), 'file.pdf') },
]

const names = (errors: readonly { in: string; path: string }[] | undefined, field: string): boolean =>
  (errors ?? []).some((fault) => fault.in === 'body' && fault.path.split('.')[0] === field)

test('400: a part of a form that breaks a rule is named, by every operation that takes forms', async () => {
  const cases = takers('multipart/form-data').flatMap(({ operation, schema }) =>
    changesOf(schema).map((change) => ({ operation, ...change })),
  )
  expect(cases.length).toBeGreaterThan(25)
  const found: string[] = []
  for (const { operation, why, field, change } of cases) {
    const form = exampleBody(operation) as FormData
    change(form)
    const { status, body, text } = await send(operation, form)
    if (status !== 400 || !names(body.errors, field)) found.push(`${operation.name} ${field} ${why}: ${status} ${text}`)
  }
  expect(found).toStrictEqual([])
})

test.each([
  ['without a boundary', 'multipart/form-data', 'x'],
  ['of nothing', 'multipart/form-data; boundary=b', ''],
  [
    'that ends too early',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nIt',
  ],
  [
    'with a part without a name',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data\r\n\r\nIt\r\n--b--\r\n',
  ],
])('400: a form %s', async (_why, contentType, body) => {
  for (const { operation } of takers('multipart/form-data')) {
    const answer = await send(operation, body, contentType)
    expect([operation.name, answer.status, answer.body.code]).toStrictEqual([operation.name, 400, 'validation.failed'])
  }
})

const CREDENTIALS = 'client_id=cli_1&client_secret=sk_1'

test.each([
  ['client_id', 'a missing id', 'client_secret=sk_1'],
  ['client_secret', 'a missing secret', 'client_id=cli_1'],
  ['client_id', 'nothing', ''],
  ['client_secret', 'an empty secret', 'client_id=cli_1&client_secret='],
  ['client_id', 'an id that is too long', `client_id=${'a'.repeat(101)}&client_secret=sk_1`],
  ['client_secret', 'a secret that is too long', `client_id=cli_1&client_secret=${'a'.repeat(201)}`],
  ['client_id', 'an id that stands twice', `${CREDENTIALS}&client_id=cli_2`],
  ['clientId', 'an id under both of its names', `${CREDENTIALS}&clientId=cli_2`],
  ['grant_type', 'another grant', `${CREDENTIALS}&grant_type=password`],
  ['surprise', 'an unknown field', `${CREDENTIALS}&surprise=1`],
  ['__proto__', 'a forbidden name', `${CREDENTIALS}&__proto__=1`],
  ['client_secret', 'a NUL', 'client_id=cli_1&client_secret=a%00b'],
  ['client_secret', 'a card number', 'client_id=cli_1&client_secret=4111111111111111'],
])('400: %s is named where a form has %s', async (field, _why, body) => {
  for (const { operation } of takers(FORM)) {
    const answer = await send(operation, body, FORM)
    expect([answer.status, names(answer.body.errors, field), answer.text]).toStrictEqual([400, true, answer.text])
  }
})

test.each([
  ['a broken escape', `${CREDENTIALS}%`, 401],
  ['bytes that are no UTF-8', 'client_id=%ff&client_secret=%fe', 401],
  ['the grant and a scope of the standard', `${CREDENTIALS}&grant_type=client_credentials&scope=a`, 401],
  ['more than it needs', `client_id=${'a'.repeat(9_000)}`, 413],
])('a form with %s is read or refused, and breaks nothing', async (_why, body, status) => {
  for (const { operation } of takers(FORM)) expect((await send(operation, body, FORM)).status).toBe(status)
})
