import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/events/event-types.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { requested, sellerWith } from '../../support/withdrawals.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Entry = { type: string; description: string; example: { type: string; data: Record<string, unknown> } }

const events = async (): Promise<Entry[]> => (await app.api.get('status/withdrawal-events')).body.events

test('200: every event of a withdrawal, without a token, each with an example of its own state', async () => {
  const found = await events()
  expect(found.map(({ type }) => type)).toStrictEqual(EVENT_TYPES.filter((type) => type.startsWith('withdrawal.')))
  for (const { type, description, example } of found) {
    expect(example.type).toBe(type)
    expect(description.length).toBeGreaterThan(20)
    const status = type === 'withdrawal.requested' ? 'pending_approval' : type.split('.')[1]
    expect(example.data).toMatchObject({ status, pixKey: 'f***@padaria.com.br' })
  }
})

test('200: an example has exactly the fields of an event that was sent', async () => {
  const seller = await sellerWith(app, 10_000)
  await requested(app, seller)
  const { rows } = await app.sql.query<{ body: string }>(
    "select body from events where type = 'withdrawal.requested' and seller_id = $1",
    [seller.id],
  )
  const sent = JSON.parse(rows[0]?.body ?? '{}')
  const [shown] = await events()
  expect(Object.keys(shown?.example ?? {})).toStrictEqual(Object.keys(sent))
  expect(Object.keys(shown?.example.data ?? {})).toStrictEqual(Object.keys(sent.data))
})
