import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '../../src/db/coalesce.ts'
import { defineErrors } from '../../src/errors.ts'
import {
  type Admitted,
  type FirstAnswer,
  type Idempotency,
  openRequests,
  outcomesOf,
} from '../../src/idempotency/once.ts'
import { startTestLedger, type TestLedger } from '../support/ledger.ts'

let base: TestLedger

beforeAll(async () => {
  base = await startTestLedger()
})

afterAll(() => base.close())

const errors = defineErrors('test', { refused: [422, 'No.'] })

type Call = { name: string; idempotency: Idempotency | undefined }
type Answer = { made: string }

const keyed = (ownerId: string, key: string, requestHash = 'hash'): Idempotency => ({
  ownerId,
  operation: 'POST /things',
  key,
  requestHash,
  requestId: 'request',
  replayed: false,
})

type Work = (name: string, admitted: Admitted) => Outcome<FirstAnswer>

const done: Work = (made) => ({ ok: true, value: { state: 'done', body: { made } } })

/** Makes one thing for each call that is admitted, as `work` says; what it says is kept. */
const run = async (calls: Call[], work: Work = done, wallNow = new Date()) => {
  const worked: string[] = []
  const outcomes = await base.transact(async (tx) => {
    const keys = calls.map(({ idempotency }) => idempotency)
    const requests = await openRequests(tx.idempotency, keys, { now: new Date(), wallNow })
    const answers = requests.admitted.map((admitted) => {
      const { name } = calls[admitted.place] ?? expect.fail()
      worked.push(name)
      return { name, answer: work(name, admitted) }
    })
    await requests.keep(answers.map(({ answer }) => answer))
    return outcomesOf<Answer>(requests, calls.length, {
      worked: answers.map(({ name, answer }) => (answer.ok ? { ok: true, value: { made: name } } : answer)),
      repeated: (body) => body as Answer,
    })
  })
  return { outcomes, worked }
}

const codeOf = (outcome: Outcome<Answer> | undefined) =>
  outcome?.ok === false ? (outcome.error as { code?: string }).code : undefined

test('the second of two equal keys in one batch gets the first answer, and is marked as repeated', async () => {
  const owner = base.newId()
  const [first, second] = [keyed(owner, 'k'), keyed(owner, 'k')]
  const { outcomes, worked } = await run([
    { name: 'a', idempotency: first },
    { name: 'b', idempotency: second },
    { name: 'c', idempotency: undefined },
  ])
  expect(worked).toEqual(['a', 'c'])
  expect(outcomes.map((outcome) => outcome.ok && outcome.value.made)).toEqual(['a', 'a', 'c'])
  expect([first.replayed, second.replayed]).toEqual([false, true])
})

test('the second of two equal keys with another body is refused, in one batch and later', async () => {
  const owner = base.newId()
  const { outcomes } = await run([
    { name: 'a', idempotency: keyed(owner, 'k') },
    { name: 'b', idempotency: keyed(owner, 'k', 'other') },
  ])
  expect(codeOf(outcomes[1])).toBe('idempotency.key_reused')
  const later = await run([{ name: 'c', idempotency: keyed(owner, 'k', 'other') }])
  expect(codeOf(later.outcomes[0])).toBe('idempotency.key_reused')
})

test('a refusal concerns its own call, and is repeated', async () => {
  const owner = base.newId()
  const refuse: Work = (name, admitted) =>
    name === 'bad' ? { ok: false, error: errors.refused() } : done(name, admitted)
  const { outcomes } = await run(
    [
      { name: 'bad', idempotency: keyed(owner, 'bad') },
      { name: 'good', idempotency: keyed(owner, 'good') },
    ],
    refuse,
  )
  expect([codeOf(outcomes[0]), outcomes[1]?.ok]).toEqual(['test.refused', true])
  const again = await run([{ name: 'bad', idempotency: keyed(owner, 'bad') }])
  expect([codeOf(again.outcomes[0]), again.worked]).toEqual(['test.refused', []])
})

test('work that goes on is in progress until its lease ends, and then goes on with the same thing', async () => {
  const owner = base.newId()
  const resourceId = base.newId()
  const now = Date.now()
  const start: Work = () => ({
    ok: true,
    value: { state: 'running', resourceId, leasedUntil: new Date(now + 30_000) },
  })
  await run([{ name: 'a', idempotency: keyed(owner, 'k') }], start)
  const early = await run([{ name: 'b', idempotency: keyed(owner, 'k') }])
  expect([codeOf(early.outcomes[0]), early.worked]).toEqual(['idempotency.in_progress', []])
  const resumed: (string | null)[] = []
  const late = await run(
    [
      { name: 'c', idempotency: keyed(owner, 'k') },
      { name: 'd', idempotency: keyed(owner, 'k') },
    ],
    (name, admitted) => {
      resumed.push(admitted.resourceId)
      return done(name, admitted)
    },
    new Date(now + 31_000),
  )
  expect(resumed).toEqual([resourceId])
  expect(late.outcomes).toEqual([
    { ok: true, value: { made: 'c' } },
    { ok: true, value: { made: 'c' } },
  ])
})

test('a key that another transaction holds is in progress', async () => {
  const owner = base.newId()
  const { outcomes } = await base.transact(async (tx) => {
    await tx.idempotency.lock(keyed(owner, 'k'))
    return run([{ name: 'a', idempotency: keyed(owner, 'k') }])
  })
  expect(codeOf(outcomes[0])).toBe('idempotency.in_progress')
})
