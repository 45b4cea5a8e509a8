import { expect, test } from 'vitest'
import { eachApart } from '../src/each-apart.ts'

test('each is tried, whatever becomes of the others, and every failure is told at the end', async () => {
  const tried: number[] = []
  const work = async (item: number): Promise<void> => {
    tried.push(item)
    if (item % 5 === 0) throw new Error(`not ${item}`)
  }
  const items = Array.from({ length: 12 }, (_, index) => index)
  const failure = await eachApart(items, work, 'some were not done').catch((error: unknown) => error)
  expect(tried).toEqual(items)
  expect(failure).toBeInstanceOf(AggregateError)
  expect((failure as AggregateError).message).toBe('some were not done')
  expect((failure as AggregateError).errors.map(({ message }) => message)).toEqual(['not 0', 'not 5', 'not 10'])
})

test('a batch without a failure throws nothing', async () => {
  await expect(eachApart([1, 2], async () => undefined, 'never')).resolves.toBeUndefined()
})
