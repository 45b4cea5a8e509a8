import { expect, test } from 'vitest'
import { createSustained } from '../../src/http/plugins/overload.ts'

test('pressure counts only once it has lasted', () => {
  const isSustained = createSustained(3_000, 2_000)
  expect([0, 1_000, 2_000, 2_999].map(isSustained)).toEqual([false, false, false, false])
  expect([3_000, 4_500].map(isSustained)).toEqual([true, true])
})

test('a pause begins the count anew', () => {
  const isSustained = createSustained(3_000, 2_000)
  expect([0, 1_500, 3_600, 5_000, 6_599].map(isSustained)).toEqual([false, false, false, false, false])
  expect(isSustained(6_600)).toBe(true)
})
