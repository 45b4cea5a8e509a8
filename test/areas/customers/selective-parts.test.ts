import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectiveParts } from '../../../src/areas/customers/selective-parts.ts'

const SAMPLES = Array.from({ length: 100 }, (_, n) => `Cliente ${n}\ncliente${n}@example.com\n${10_000_000_000 + n}`)

test.each([
  ['cliente777@example.com', ['te777@']],
  ['CLIENTE777@EXAMPLE.COM', ['TE777@']],
  ['maria.silva@example.com', ['maria.', 'silva@']],
  ['Maria Silva', ['Maria ', 'Silva']],
  ['joão cliente', ['joão ']],
  ['cliente joão', ['joão']],
])('of %s only what few rows have is asked for', (search, parts) => {
  expect(selectiveParts(search, SAMPLES)).toEqual(parts)
})

test.each(['cliente', 'example.com', 'jo', '%', 'a-b', '-'])(
  '%s, which has nothing that tells, is asked whole',
  (search) => {
    expect(selectiveParts(search, SAMPLES)).toEqual([search])
  },
)

test('nobody known: all of it is asked for', () => {
  expect(selectiveParts('maria', [])).toEqual(['maria'])
})

test('whatever is searched, each part stands in it and is text', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', 'b', '1', '@', ' ', '.'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  })
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), (search, samples) => {
      const parts = selectiveParts(search, samples)
      expect(parts.length).toBeGreaterThan(0)
      for (const part of parts) expect(search).toContain(part)
      // Half a character would not be text.
      expect(parts.every((part) => part.isWellFormed())).toBe(true)
    }),
  )
})
