import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/compose/event-catalogue.ts'
import { EVENT_TYPES } from '../../src/events/event-types.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { createEventContract, type EventContract, findBadEvents } from '../support/event-contract.ts'
import { registerSeller } from '../support/factories.ts'
import { dereferenced, type OpenapiDocument } from '../support/openapi-document.ts'
import { openapiFaults } from '../support/openapi-faults.ts'
import { newEvent, paidEventData } from '../support/webhooks.ts'

let app: TestApp
let document: OpenapiDocument
let contract: EventContract

beforeAll(async () => {
  app = await startTestApp()
  document = (await app.api.get('/openapi.json')).body
  contract = createEventContract(document)
})
afterAll(() => app.close())

const bodyOf = (type: string) => {
  const media = dereferenced(document).webhooks[type]?.post.requestBody?.content['application/json']
  if (media === undefined) throw new Error(`${type} is not documented`)
  return media as { schema: { properties: { type: { const: string } } }; example: { type: string; data: object } }
}

test('every type of event has its schema and its example in the document, in the order of the list', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES])
  for (const type of EVENT_TYPES) {
    const { schema, example } = bodyOf(type)
    expect(schema.properties.type.const).toBe(type)
    expect(example.type).toBe(type)
    expect([type, contract(example)]).toEqual([type, undefined])
  }
})

test('every event is explained, every field described', () => {
  const paths = Object.fromEntries(
    Object.entries(document.webhooks).map(([type, { post }]) => [type, { post: { ...post, security: [] } }]),
  )
  expect(openapiFaults({ ...document, paths })).toEqual([])
  for (const [type, { description }] of EVENT_CATALOGUE) expect([type, description.length > 20]).toEqual([type, true])
})

test('an example shows the state that its type names', () => {
  const stateOf = (type: string) => (bodyOf(type).example.data as { status?: string }).status
  expect(stateOf('payment.paid')).toBe('paid')
  expect(stateOf('payment.disputed')).toBe('in_dispute')
  expect(stateOf('refund.failed')).toBe('failed')
  expect(stateOf('dispute.lost')).toBe('lost')
  expect(stateOf('withdrawal.returned')).toBe('returned')
  expect(stateOf('reserve.released')).toBe('released')
  expect(stateOf('company.suspended')).toBe('suspended')
  expect(stateOf('payment_link.expired')).toBe('expired')
  expect(stateOf('webhook.disabled')).toBe('disabled')
})

test('no example shows a whole document, and none a phone or an e-mail address of a company', () => {
  const text = JSON.stringify(EVENT_TYPES.map((type) => bodyOf(type).example))
  for (const whole of ['52998224725', '12ABC34501DE35', 'maria@example.com', 'financeiro@padaria.com.br']) {
    expect([whole, text.includes(whole)]).toEqual([whole, false])
  }
})

test.each([
  ['a field too few', ({ amount: _amount, ...rest }: object & { amount?: number }) => rest, "property 'amount'"],
  ['a field too many', (data: object) => ({ ...data, secret: 'x' }), 'additional properties'],
  ['a wrong type', (data: object) => ({ ...data, amount: '100' }), 'must be integer'],
])('an event that was written with %s is found', async (_what, change, fault) => {
  const seller = await registerSeller(app)
  const data = change(paidEventData())
  await app.services.transact((tx) =>
    tx.events.add([{ type: 'payment.paid', sellerId: seller.id, data }], app.clock.now()),
  )
  const bad = await findBadEvents(app.sql, contract)
  expect(bad).toEqual([expect.stringContaining(fault)])
  await app.sql.query('delete from events where seller_id = $1', [seller.id])
})

test('an event of a type that nobody documents is found', async () => {
  const seller = await registerSeller(app)
  const id = await newEvent(app, seller)
  await app.sql.query("update events set body = replace(body, 'payment.paid', 'payment.lost') where id = $1", [id])
  expect(await findBadEvents(app.sql, contract)).toEqual([expect.stringContaining('this type is not documented')])
  await app.sql.query('delete from events where id = $1', [id])
})
