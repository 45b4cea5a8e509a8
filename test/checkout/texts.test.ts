import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import accepts from '@fastify/accepts'
import fc from 'fast-check'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { groupedLine, localeOf, typedAmount } from '../../src/checkout/formats.ts'
import { isCnpj, isCpf, stripTaxId } from '../../src/domain/tax-id.ts'
import { languageFor } from '../../src/http/language.ts'

const ASSETS = join(import.meta.dirname, '..', '..', 'src', 'checkout', 'assets')
const server = fastify()
await server.register(accepts)
server.get('/', async (request) => languageFor(request))
const moduleOf = (name: string) => import(pathToFileURL(join(ASSETS, name)).href)

test.each([
  [undefined, 'pt'],
  ['', 'pt'],
  ['*', 'pt'],
  ['de-DE,de;q=0.9', 'pt'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['en-US,en;q=0.9', 'en'],
  ['EN', 'en'],
  ['de,en;q=0.7,pt;q=0.3', 'en'],
  ['en;q=0.2,pt;q=0.9', 'pt'],
  ['en;q=0', 'pt'],
  ['en;q=x', 'pt'],
  ['en, pt', 'en'],
])('Accept-Language %s is answered in %s', async (header, language) => {
  const headers = header === undefined ? {} : { 'accept-language': header }
  expect((await server.inject({ url: '/', headers })).body).toBe(language)
})

test('every text of one language is in the other, and none is empty', () => {
  const keysOf = (value: unknown, path: string): string[] => {
    if (typeof value !== 'object' || value === null) return value === '' ? [`${path} is empty`] : [path]
    return Object.entries(value).flatMap(([key, entry]) => keysOf(entry, `${path}.${key}`))
  }
  const [portuguese, english] = [localeOf('pt'), localeOf('en')].map(({ texts }) => keysOf(texts, ''))
  expect(english).toEqual(portuguese)
  expect(portuguese?.filter((key) => key.endsWith('is empty'))).toEqual([])
})

test.each([
  ['25', 2_500],
  ['25,5', 2_550],
  ['25,50', 2_550],
  ['25.50', 2_550],
  ['R$ 1.234,56', 123_456],
  ['1,234.56', 123_456],
  ['1.234', 123_400],
  ['1234567,89', 123_456_789],
  ['0,01', 1],
  ['', undefined],
  ['dez', undefined],
  ['-5', undefined],
  ['1,2,3', undefined],
  ['1.23.456', undefined],
  ['5,', undefined],
  ['1e3', undefined],
])('the amount "%s" is %s centavos, on the server and in the browser', async (text, amount) => {
  const { typedAmount: inBrowser } = await moduleOf('form-checks.js')
  expect(typedAmount(text)).toBe(amount)
  expect(inBrowser(text)).toBe(amount)
})

test('what a language writes as typed is read back as the same amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), (amount) => {
      for (const language of ['pt', 'en'] as const) expect(typedAmount(localeOf(language).typed(amount))).toBe(amount)
    }),
  )
})

test('the browser knows the same CPF and CNPJ as the server', async () => {
  const { isTaxId } = await moduleOf('tax-id.js')
  const isKnown = (text: string) => isCpf(stripTaxId(text)) || isCnpj(stripTaxId(text))
  for (const text of ['529.982.247-25', '12.ABC.345/01DE-35', '12.abc.345/01de-35', '11222333000181']) {
    expect([text, isTaxId(text), isKnown(text)]).toEqual([text, true, true])
  }
  const characters = fc.constantFrom(...'0123456789ABab.-/ ')
  fc.assert(fc.property(fc.string({ unit: characters, maxLength: 20 }), (text) => isTaxId(text) === isKnown(text)))
  // Of numbers of the right length one in a hundred is right: enough of both are met.
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 11 })
  const body = fc.string({ unit: fc.constantFrom(...'0123456789AZ'), minLength: 12, maxLength: 12 })
  const ending = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'))
  const either = fc.oneof(
    digits,
    fc.tuple(body, ending).map(([text, end]) => text + end),
  )
  fc.assert(
    fc.property(either, (text) => isTaxId(text) === isKnown(text)),
    { numRuns: 2_000 },
  )
})

test('a boleto’s line is written in its groups', () => {
  expect(groupedLine('10490055390369870000600091449587555490000028531')).toBe(
    '10490.05539 03698.700006 00091.449587 5 55490000028531',
  )
})

test('the script is one file of modules that share no name', () => {
  const names = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  const declared = names.flatMap((name) =>
    [...readFileSync(join(ASSETS, name), 'utf8').matchAll(/^(?:export )?(?:const|let|function) (\w+)/gm)].map(
      ([, found]) => found,
    ),
  )
  expect(declared.length).toBeGreaterThan(30)
  expect(new Set(declared).size).toBe(declared.length)
})
