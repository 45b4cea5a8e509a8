import { expect, test } from 'vitest'
import { cacheAnswer } from '../../src/http/cache-answer.ts'

test('an answer is shared for as long as it was said, counted from when it was there', async () => {
  let nowMs = 0
  let calls = 0
  const ask = cacheAnswer(
    async () => {
      calls += 1
      nowMs += 5_000
      return calls
    },
    1_000,
    () => nowMs,
  )
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  nowMs += 999
  expect(await ask()).toBe(1)
  nowMs += 1
  expect(await ask()).toBe(2)
})

test('a failure is not kept', async () => {
  let calls = 0
  const ask = cacheAnswer(async () => {
    calls += 1
    if (calls === 1) throw new Error('away')
    return calls
  }, 1_000)
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
