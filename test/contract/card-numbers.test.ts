import { Writable } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { isLuhn } from '../../src/domain/luhn.ts'
import { isCnpj } from '../../src/domain/tax-id.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsOf, withField } from '../support/bad-values.ts'
import { createFixtures, exampleBody, existingPath, type Fixtures, neededHeaders } from '../support/fixtures.ts'
import { type OpenapiDocument, type Operation, operationsOf, type Schema } from '../support/openapi-document.ts'

let app: TestApp
let fixtures: Fixtures
let operations: Operation[]
const logged: string[] = []
let logging: Awaited<ReturnType<typeof buildApp>>
let url: string

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
  fixtures = await createFixtures(app)
  operations = operationsOf(app.app.swagger() as unknown as OpenapiDocument)
  const lines = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  // The same platform behind a second door, which writes down everything that it would ever log.
  logging = await buildApp({ config: app.config, services: app.services, logger: pino({ level: 'trace' }, lines) })
  url = await logging.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await logging.close()
  await app.close()
})

const digits = (count: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count })

const withCheckDigit = (number: string): string =>
  `${number}${[...'0123456789'].find((digit) => isLuhn(number + digit))}`

/** Card numbers as the large brands give them out: prefix and length. */
const cardNumber = fc
  .constantFrom(
    ['4', 16],
    ['4', 13],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['36', 14],
    ['6062', 16],
    ['6363', 16],
    ['5067', 16],
    ['6011', 16],
  )
  .chain(([prefix, length]) =>
    digits(Number(length) - String(prefix).length - 1).map((rest) => withCheckDigit(`${prefix}${rest.join('')}`)),
  )
  // One in a hundred Diners numbers is also the CNPJ of somebody, which has to be taken.
  .filter((number) => !/^6363(?!68|69)/.test(number) && !/^6062(?!82)/.test(number) && !isCnpj(number))

const inGroups = (number: string, separator: string): string =>
  number.length === 15
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)].join(separator)
    : (number.match(/.{1,4}/g) ?? []).join(separator)

/** A card number as people and programs write it. */
const written = fc
  .tuple(
    cardNumber,
    fc.constantFrom('', ' ', '-', '.'),
    fc.constantFrom('', 'cartão ', 'pan='),
    fc.constantFrom('', ', val. 11/30'),
  )
  .map(([number, separator, before, after]) => ({ number, text: `${before}${inGroups(number, separator)}${after}` }))

type Place = { operation: Operation; path: string[] }

const placesOf = (operation: Operation): Place[] => {
  const schema: Schema | undefined = operation.requestBody?.content['application/json']?.schema
  if (schema === undefined) return []
  const known = fieldsOf(schema).map(({ path }) => path)
  const nested = [['surprise'], ['surprise', 'inside'], ['metadata', 'note'], ['list', '0', 'deep', 'er']]
  return [...known, ...nested].map((path) => ({ operation, path }))
}

const send = async ({ operation, path }: Place, value: string): Promise<{ status: number; text: string }> => {
  const token =
    operation.security.length === 0 ? undefined : isForSellers(operation) ? fixtures.seller.token : fixtures.admin
  const answer = await fetch(`${url}${existingPath(fixtures, operation)}`, {
    method: operation.method,
    headers: {
      'content-type': 'application/json',
      ...neededHeaders(operation),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(withField(exampleBody(operation), path, value)),
  })
  return { status: answer.status, text: await answer.text() }
}

const isForSellers = ({ method, path }: Operation): boolean =>
  app.app.accessTable.some((line) => line.startsWith(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} seller`))

test('a card number in any field of any body is refused, however it is written, and neither answered nor logged', async () => {
  const places = operations.flatMap(placesOf)
  expect(places.length).toBeGreaterThan(200)
  await fc.assert(
    fc.asyncProperty(fc.nat(places.length - 1), written, async (index, { number, text }) => {
      const place = places[index] as Place
      logged.length = 0
      const answer = await send(place, text)
      expect([place.operation.name, place.path, answer.status]).toStrictEqual([place.operation.name, place.path, 400])
      expect(answer.text).toContain('card_number')
      const said = `${answer.text}\n${logged.join('\n')}`
      expect(logged.length).toBeGreaterThan(0)
      for (const kept of [number, text, number.slice(0, -4)]) expect(said).not.toContain(kept)
    }),
    { numRuns: 250 },
  )
}, 120_000)

test('nor one in a query, a path or a form', async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ number, text }) => {
      logged.length = 0
      const headers = { authorization: `Bearer ${fixtures.seller.token}` }
      const form = new URLSearchParams({ client_id: text, client_secret: 'sk_1' })
      const answers = [
        await fetch(`${url}/api/v1/payments?${new URLSearchParams({ search: text })}`, { headers }),
        await fetch(`${url}/api/v1/payments/${encodeURIComponent(text)}`, { headers }),
        await fetch(`${url}/api/v1/integrations/login`, { method: 'POST', body: form }),
      ]
      expect(answers.map(({ status }) => status)).toStrictEqual([400, 400, 400])
      const said = [...(await Promise.all(answers.map((answer) => answer.text()))), ...logged].join('\n')
      for (const kept of [number, encodeURIComponent(text), text]) expect(said).not.toContain(kept)
    }),
    { numRuns: 40 },
  )
}, 60_000)
