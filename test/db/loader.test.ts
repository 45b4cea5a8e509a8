import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoader } from '../../src/db/loader.ts'

/** A table of words by number, which keeps the statements that were run on it. */
const table = (rows: Record<number, string>) => {
  const statements: number[][] = []
  const lookUp = async (keys: readonly number[]) => {
    statements.push([...keys])
    return new Map(keys.flatMap((key) => (rows[key] === undefined ? [] : [[String(key), rows[key]] as const])))
  }
  return { rows, statements, lookUp, nameOf: String }
}

test('those who ask in one turn share a statement, and each hears what they asked for', async () => {
  const { statements, ...words } = table({ 1: 'one', 2: 'two' })
  const load = createLoader(words)
  const asked = [load(1)]
  // As between two requests that came in together: all promises settle.
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
  asked.push(load(3), load(2), load(1))
  expect(await Promise.all(asked)).toStrictEqual(['one', undefined, 'two', 'one'])
  expect(statements).toStrictEqual([[1, 3, 2]])
})

test('what changes after a statement began is seen by everybody who asks after the change', async () => {
  const { rows, lookUp, nameOf } = table({ 1: 'old' })
  const gates: (() => void)[] = []
  const slow = async (keys: readonly number[]) => {
    const found = await lookUp(keys)
    await new Promise<void>((resolve) => gates.push(resolve))
    return found
  }
  const load = createLoader({ nameOf, lookUp: slow })
  const before = load(1)
  while (gates.length === 0) await nextTurn()
  rows[1] = 'new'
  const after = load(1)
  while (gates.length === 1) await nextTurn()
  for (const open of gates) open()
  expect(await Promise.all([before, after])).toStrictEqual(['old', 'new'])
})

test('a key that no statement takes fails alone', async () => {
  const { lookUp, nameOf } = table({ 1: 'one', 2: 'two' })
  const load = createLoader({
    nameOf,
    lookUp: async (keys: readonly number[]) => {
      if (keys.includes(13)) throw new Error('thirteen')
      return lookUp(keys)
    },
  })
  const outcomes = await Promise.allSettled([load(1), load(13), load(2)])
  expect(outcomes.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('nothing is remembered', async () => {
  const { rows, statements, ...words } = table({ 1: 'one' })
  const load = createLoader(words)
  expect(await load(1)).toBe('one')
  rows[1] = 'another'
  expect(await load(1)).toBe('another')
  expect(statements).toStrictEqual([[1], [1]])
})
