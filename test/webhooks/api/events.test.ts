import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { newEvent } from '../../support/webhooks.ts'

let app: TestApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
})
afterAll(() => app.close())

const get = (path: string, token: string | undefined = seller.token) => app.api.get(path, { token })

test('200: an event is the stored text, byte for byte', async () => {
  const id = await newEvent(app, seller, { z: '1', a: 'açaí \u{1f600}' })
  const { rows } = await app.sql.query('select body from events where id = $1', [id])
  const answer = await get(`events/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(rows[0].body)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

// The same event as if it had been made earlier, with the id of that time.
const made = async (id: string, ago: string, type = 'payment.paid'): Promise<string> => {
  const { rows } = await app.sql.query(
    `with gone as (delete from events where id = $1 returning *)
     insert into events (seller_id, id, type, body, created_at)
     select seller_id, earlier, $3, replace(body, id::text, earlier::text), now() - $2::interval
     from gone, uuidv7(-$2::interval) as earlier returning id`,
    [id, ago, type],
  )
  return rows[0].id
}

test('200: the list, newest first, by type and period', async () => {
  const owner = await registerSeller(app)
  const first = await made(await newEvent(app, owner), '2 days', 'refund.failed')
  const second = await newEvent(app, owner)
  const ids = async (query: string) =>
    (await get(`events${query}`, owner.token)).body.data.map((event: { id: string }) => event.id)
  expect(await ids('')).toEqual([second, first])
  expect(await ids('?type=payment.paid')).toEqual([second])
  expect(await ids('?type=payment.paid&type=refund.failed')).toEqual([second, first])
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
  expect(await ids(`?from=${dayAgo}`)).toEqual([second])
  expect(await ids(`?to=${dayAgo}`)).toEqual([first])
})

test('404: an event from before 30 days is gone, and not in the list', async () => {
  const owner = await registerSeller(app)
  const id = await made(await newEvent(app, owner), '30 days 1 second')
  expect((await get(`events/${id}`, owner.token)).body.code).toBe('event.not_found')
  expect((await get('events', owner.token)).body.totalRecords).toBe(0)
  expect((await get('events?from=2020-01-01', owner.token)).body.totalRecords).toBe(0)
})

test("404: another seller's event looks exactly like a missing one", async () => {
  const id = await newEvent(app, await registerSeller(app))
  const foreign = await get(`events/${id}`)
  const missing = await get('events/01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00')
  expect(foreign.status).toBe(404)
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
})

test('400: an unknown type, a broken cursor and a broken id', async () => {
  expect((await get('events?type=payment.unknown')).status).toBe(400)
  expect((await get('events?cursor=broken')).status).toBe(400)
  expect((await get('events/none')).status).toBe(400)
})

test('401: without a token; 403: an administrator', async () => {
  expect((await app.api.get('events')).status).toBe(401)
  expect((await app.api.get('events/01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00')).status).toBe(401)
  const admin = await adminToken(app)
  expect((await get('events', admin)).status).toBe(403)
  expect((await get('events/01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', admin)).status).toBe(403)
})
