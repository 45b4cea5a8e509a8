import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode, z } from 'zod'
import { compileSerializer } from '../../src/http/response-serializer.ts'

const item = z.object({ id: z.uuid(), amount: z.int(), note: z.string().max(40).nullable() })
const answer = z.object({
  status: z.enum(['open', 'closed']),
  currency: z.literal('BRL'),
  percentage: z.number(),
  isActive: z.boolean(),
  item: item.nullable(),
  data: z.array(item),
  metadata: z.record(z.string(), z.string()),
  extra: z.string().optional(),
})

const anyItem = fc.record({ id: fc.uuid(), amount: fc.integer(), note: fc.option(fc.string({ maxLength: 40 })) })
// A request with a field named __proto__ is refused, so that none is stored to be answered.
const anyMetadata = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  fc.string(),
)
const anyAnswer = fc.record(
  {
    status: fc.constantFrom('open' as const, 'closed' as const),
    currency: fc.constant('BRL' as const),
    percentage: fc.double({ noNaN: true, noDefaultInfinity: true }),
    isActive: fc.boolean(),
    item: fc.option(anyItem),
    data: fc.array(anyItem, { maxLength: 5 }),
    metadata: anyMetadata,
    extra: fc.string(),
  },
  { requiredKeys: ['status', 'currency', 'percentage', 'isActive', 'item', 'data', 'metadata'] },
)

const compiled = (schema: z.ZodType) => {
  const serialize = compileSerializer(schema)
  if (serialize === undefined) throw new Error('the schema was not compiled')
  return serialize
}

test('a compiled serializer writes what the schema itself would encode, whatever the values', () => {
  const serialize = compiled(answer)
  fc.assert(
    fc.property(anyAnswer, (value) => {
      expect(JSON.parse(serialize(value))).toEqual(JSON.parse(JSON.stringify(encode(answer, value))))
    }),
  )
})

test('what the schema does not name is not sent, at any depth', () => {
  const serialize = compiled(z.object({ item, data: z.array(item) }))
  const leaking = { id: 'a', amount: 1, note: null, passwordHash: 'secret' }
  const text = serialize({ item: leaking, data: [leaking], passwordHash: 'secret' })
  expect(JSON.parse(text)).toEqual({
    item: { id: 'a', amount: 1, note: null },
    data: [{ id: 'a', amount: 1, note: null }],
  })
})

test('an answer without one of its fields is an error, never a smaller answer', () => {
  expect(() => compiled(item)({ id: 'a', note: null })).toThrow('amount')
})

test.each([
  ['a choice between shapes', z.object({ state: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) })],
  ['a choice between types', z.object({ amount: z.union([z.string(), z.number()]) })],
  ['anything', z.object({ payload: z.unknown() })],
])('%s is left to the schema itself', (_, schema) => {
  expect(compileSerializer(schema)).toBeUndefined()
})
