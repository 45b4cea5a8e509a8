import { expect, onTestFinished, test, vi } from 'vitest'
import { coalesce, type Outcome } from '../../src/db/coalesce.ts'

const ok = <Value>(value: Value): Outcome<Value> => ({ ok: true, value })

/** A batch function that waits to be let go, batch by batch. */
const gated = () => {
  const batches: { items: readonly number[]; finish: () => void; fail: (error: unknown) => void }[] = []
  const arrivals: (() => void)[] = []
  const writeBatch = (items: readonly number[]) =>
    new Promise<Outcome<number>[]>((resolve, reject) => {
      batches.push({ items, finish: () => resolve(items.map((item) => ok(item * 10))), fail: reject })
      arrivals.shift()?.()
    })
  /** The batch that was begun as the n-th, from 0. */
  const batch = async (index: number) => {
    while (batches.length <= index) await new Promise<void>((resolve) => arrivals.push(resolve))
    const found = batches[index]
    if (found === undefined) throw new Error('no such batch')
    return found
  }
  return { writeBatch, batch, begun: () => batches.length }
}

test('calls of one tick share a batch; those that arrive while it is written form the next, in order', async () => {
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 10 })
  const first = [call(1), call(2)]
  expect((await batch(0)).items).toStrictEqual([1, 2])
  const later = [call(3), call(4), call(5)]
  ;(await batch(0)).finish()
  expect(await Promise.all(first)).toStrictEqual([10, 20])
  expect((await batch(1)).items).toStrictEqual([3, 4, 5])
  ;(await batch(1)).finish()
  expect(await Promise.all(later)).toStrictEqual([30, 40, 50])
})

test('calls of one turn of the event loop share a batch, whatever is settled between them', async () => {
  const { writeBatch, batch, begun } = gated()
  const call = coalesce(writeBatch, { maxBatch: 10 })
  const calls = [call(1)]
  // As between two requests that came in together.
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
  calls.push(call(2))
  ;(await batch(0)).finish()
  expect(await Promise.all(calls)).toStrictEqual([10, 20])
  expect(begun()).toBe(1)
})

test('a batch holds no more than its maximum, and no caller is settled before its batch is written', async () => {
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 2 })
  const settled: number[] = []
  const calls = [1, 2, 3].map((item) => call(item).then((value) => settled.push(value)))
  expect((await batch(0)).items).toStrictEqual([1, 2])
  expect(settled).toStrictEqual([])
  ;(await batch(0)).finish()
  expect((await batch(1)).items).toStrictEqual([3])
  expect(settled).toStrictEqual([10, 20])
  ;(await batch(1)).finish()
  await Promise.all(calls)
  expect(settled).toStrictEqual([10, 20, 30])
})

test('as many batches are written at a time as asked for', async () => {
  const { writeBatch, batch, begun } = gated()
  const call = coalesce(writeBatch, { maxBatch: 1, concurrency: 2 })
  const calls = [1, 2, 3].map(call)
  await batch(1)
  expect(begun()).toBe(2)
  ;(await batch(1)).finish()
  expect((await batch(2)).items).toStrictEqual([3])
  ;(await batch(2)).finish()
  ;(await batch(0)).finish()
  expect(await Promise.all(calls)).toStrictEqual([10, 20, 30])
})

test('beside a batch that is being written, few wait for its end and enough do not', async () => {
  const { writeBatch, batch, begun } = gated()
  const call = coalesce(writeBatch, { maxBatch: 10, concurrency: 2, besideMin: 3 })
  const calls = [call(1)]
  await batch(0)
  calls.push(call(2), call(3), call(4))
  expect((await batch(1)).items).toStrictEqual([2, 3, 4])
  calls.push(call(5), call(6))
  ;(await batch(1)).finish()
  await Promise.all(calls.slice(1, 4))
  expect(begun()).toBe(2)
  ;(await batch(0)).finish()
  expect((await batch(2)).items).toStrictEqual([5, 6])
  ;(await batch(2)).finish()
  expect(await Promise.all(calls)).toStrictEqual([10, 20, 30, 40, 50, 60])
})

test('few do not wait for a batch that does not end', async () => {
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 10, concurrency: 2, besideMin: 3 })
  const stuck = call(1)
  await batch(0)
  const next = call(2)
  ;(await batch(1)).finish()
  expect(await next).toBe(20)
  ;(await batch(0)).finish()
  expect(await stuck).toBe(10)
})

test('nor do those few who came while no place was free', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 2, concurrency: 2, besideMin: 2 })
  const stuck = call(1)
  await batch(0)
  const others = [call(2), call(3)]
  await batch(1)
  vi.runAllTimers()
  const late = call(4)
  ;(await batch(1)).finish()
  await Promise.all(others)
  // Its end is noted behind its answers.
  await new Promise(setImmediate)
  vi.runAllTimers()
  ;(await batch(2)).finish()
  expect(await late).toBe(40)
  ;(await batch(0)).finish()
  expect(await stuck).toBe(10)
})

test('an outcome is its caller’s own', async () => {
  const call = coalesce<number, number>(
    async (items) => items.map((item) => (item < 0 ? { ok: false, error: new Error(`${item} is refused`) } : ok(item))),
    { maxBatch: 10 },
  )
  const outcomes = await Promise.allSettled([call(1), call(-2), call(3)])
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message))).toEqual([
    1,
    '-2 is refused',
    3,
  ])
})

test('one bad item that breaks its batch fails alone, and the others are written', async () => {
  const written: number[][] = []
  const call = coalesce<number, number>(
    async (items) => {
      if (items.includes(2)) throw new Error('a check constraint')
      written.push([...items])
      return items.map(ok)
    },
    { maxBatch: 10 },
  )
  const outcomes = await Promise.allSettled([1, 2, 3].map(call))
  expect(outcomes.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(written).toStrictEqual([[1], [3]])
})

test('what may have been committed before the connection broke is not written again', async () => {
  let batches = 0
  const call = coalesce<number, number>(
    async () => {
      batches += 1
      throw new Error('Connection terminated unexpectedly')
    },
    { maxBatch: 10 },
  )
  const outcomes = await Promise.allSettled([call(1), call(2)])
  expect(outcomes.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
  expect(batches).toBe(1)
})

test('a batch that answers too few outcomes is an error of the callers it forgot, and of no other', async () => {
  const call = coalesce<number, number>(async ([first = 0]) => [ok(first)], { maxBatch: 10 })
  const [first, second] = await Promise.allSettled([call(1), call(2)])
  expect(first).toStrictEqual({ status: 'fulfilled', value: 1 })
  expect(second?.status).toBe('rejected')
})

test('beyond its bound the queue refuses, and takes calls again once it has moved on', async () => {
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 1, maxWaiting: 2 })
  const first = call(1)
  await batch(0)
  const waiting = [call(2), call(3)]
  await expect(call(4)).rejects.toMatchObject({ name: 'QueueFullError' })
  for (const index of [0, 1, 2]) (await batch(index)).finish()
  expect(await Promise.all([first, ...waiting])).toStrictEqual([10, 20, 30])
  const again = call(5)
  ;(await batch(3)).finish()
  expect(await again).toBe(50)
})

test('after a failure the next calls are written as if nothing had happened', async () => {
  const { writeBatch, batch } = gated()
  const call = coalesce(writeBatch, { maxBatch: 10 })
  const failed = call(1)
  ;(await batch(0)).fail(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  const next = call(2)
  ;(await batch(1)).finish()
  expect(await next).toBe(20)
})
