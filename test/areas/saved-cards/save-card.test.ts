import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAVED_CARDS_MAX } from '../../../src/domain/saved-card.ts'
import type { GuardedProvider } from '../../../src/providers/guarded-provider.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { createCustomer, scopedToken } from '../../support/customers.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, postPayment, sellingSeller } from '../../support/payments.ts'
import { postCard, saveCard } from '../../support/saved-cards.ts'

let app: TestApp
let seller: Seller
let customerId: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})
afterAll(() => app.close())

const newCustomer = async (owner: Seller = seller): Promise<string> => (await createCustomer(app, owner)).id

const cards = (id = customerId, token = seller.token) => app.api.get(`customers/${id}/cards`, { token })

const remove = (cardId: string, id = customerId, token = seller.token) =>
  app.api.delete(`customers/${id}/cards/${cardId}`, { token })

const rowOf = async (id: string) => (await app.sql.query('select * from saved_cards where id = $1', [id])).rows[0]

const sandboxCards = async (id: string) => {
  const reference = id.replaceAll('-', '')
  return (await app.sql.query('select deleted_at from sandbox_cards where reference = $1', [reference])).rows
}

const letPass = (ms: number): void => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

const forget = () => app.services.jobs.forgetCards.runOnce()

type SavedCards = NonNullable<GuardedProvider['savedCards']>

// As a provider that answers otherwise, once it has done what it was asked for.
const answering = async <Result>(
  calls: (real: SavedCards) => Partial<Record<keyof SavedCards, unknown>>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const savedCards = app.services.providers.find('sandbox')?.savedCards
  if (savedCards === undefined) throw new Error('the sandbox keeps no cards')
  const real = { ...savedCards }
  Object.assign(savedCards, calls(real))
  return work().finally(() => Object.assign(savedCards, real))
}

const UNKNOWN = { outcome: 'unknown', reason: 'cut' }
const cut =
  <Given>(call: (given: Given) => Promise<unknown>) =>
  async (given: Given) => {
    await call(given)
    return UNKNOWN
  }

beforeAll(async () => {
  customerId = await newCustomer()
})

test('201: a card is kept with consent, shown by what may be known of it, and only its provider has a name for it', async () => {
  const saved = await saveCard(app, seller, customerId, { consentTextVersion: 'cards-2026-11' })
  expect(saved).toMatchObject({ customerId, provider: 'sandbox', brand: 'visa', last4: '0001' })
  expect(saved).toMatchObject({ consentTextVersion: 'cards-2026-11', consentedAt: saved.createdAt })
  expect((await cards()).body).toMatchObject({ data: [saved], totalRecords: 1 })
  const one = await app.api.get(`customers/${customerId}/cards/${saved.id}`, { token: seller.token })
  expect([one.status, one.body]).toEqual([200, saved])
  const row = await rowOf(saved.id)
  const token = app.services.secretBox.open(row.token_sealed)
  expect(token).toMatch(/^tok_visa_saved_/)
  expect(JSON.stringify(row)).not.toContain(token)
  const { rows } = await app.sql.query("select action, after from audit_log where after ->> 'cardId' = $1", [saved.id])
  expect(rows).toMatchObject([{ action: 'customer.save_card', after: { consentTextVersion: 'cards-2026-11' } }])
})

test('400: nothing is kept without consent', async () => {
  for (const consent of [undefined, false, 'yes']) {
    const { status, body } = await postCard(app, seller, customerId, { consent })
    expect([status, body.errors[0].path]).toEqual([400, 'consent'])
  }
})

test('201: a repeat under its key is one card, also of two that run at once', async () => {
  const id = await newCustomer()
  const key = randomUUID()
  const save = () => postCard(app, seller, id, {}, { key })
  const answers = await Promise.all([save(), save()])
  for (const { status, body } of answers) expect([201, 'idempotency.in_progress']).toContain(body.code ?? status)
  const again = await save()
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect((await cards(id)).body.data).toEqual([again.body])
  const other = await postCard(app, seller, id, { cardToken: 'tok_visa_0004' }, { key })
  expect(other.body.code).toBe('idempotency.key_reused')
})

test('422: a refusal is repeated under its key, and leaves no card at the provider', async () => {
  const id = await newCustomer()
  const key = randomUUID()
  for (const fields of [{ cardToken: 'tok_visa_0120_0001' }, { cardToken: 'no_token' }]) {
    const first = await postCard(app, seller, id, fields, { key: `${key}${fields.cardToken}` })
    const repeat = await postCard(app, seller, id, fields, { key: `${key}${fields.cardToken}` })
    expect([first.status, repeat.body.code, repeat.headers.get('idempotency-replayed')]).toEqual([
      422,
      first.body.code,
      'true',
    ])
  }
  letPass(61_000)
  await forget()
  const { rows } = await app.sql.query('select id, status from saved_cards where customer_id = $1', [id])
  expect(rows.map(({ status }) => status)).toEqual(['deleted', 'deleted'])
  expect((await Promise.all(rows.map((row) => sandboxCards(row.id)))).flat()).toEqual([
    { deleted_at: expect.any(Date) },
  ])
})

test('422: of many that save at once no more succeed than a customer may have', async () => {
  const id = await newCustomer()
  const answers = await Promise.all(Array.from({ length: SAVED_CARDS_MAX + 3 }, () => postCard(app, seller, id)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(SAVED_CARDS_MAX)
  expect(answers.filter(({ body }) => body.code === 'card.limit_reached')).toHaveLength(3)
})

test('503: where the answer is lost, the repeat goes on with the same card', async () => {
  const id = await newCustomer()
  const key = randomUUID()
  const save = () => postCard(app, seller, id, {}, { key })
  const lost = await answering((real) => ({ save: cut(real.save) }), save)
  expect([lost.status, lost.body.code]).toEqual([503, 'payment.provider_unavailable'])
  expect((await cards(id)).body.data).toEqual([])
  const again = await save()
  expect(again.status).toBe(201)
  const { rows } = await app.sql.query('select id from saved_cards where customer_id = $1', [id])
  expect(rows).toEqual([{ id: again.body.id }])
})

test('crash: a card that nobody comes back for is forgotten by the provider', async () => {
  const id = await newCustomer()
  await answering(
    (real) => ({ save: cut(real.save) }),
    () => postCard(app, seller, id),
  )
  const [{ id: cardId }] = (await app.sql.query('select id from saved_cards where customer_id = $1', [id])).rows
  await forget()
  expect((await rowOf(cardId)).status).toBe('saving')
  letPass(600_000)
  await forget()
  // Given up at this moment: the provider might still be keeping it.
  expect([(await rowOf(cardId)).status, await sandboxCards(cardId)]).toEqual(['deleting', [{ deleted_at: null }]])
  letPass(61_000)
  await forget()
  expect([(await rowOf(cardId)).status, (await sandboxCards(cardId))[0].deleted_at]).toEqual([
    'deleted',
    expect.any(Date),
  ])
})

test('404: a customer who is erased while the provider keeps their card has none in the end', async () => {
  const id = await newCustomer()
  const erase = () => app.api.delete(`customers/${id}`, { token: seller.token })
  const answer = await answering(
    (real) => ({
      save: async (given: Parameters<SavedCards['save']>[0]) => {
        expect((await erase()).status).toBe(204)
        return real.save(given)
      },
    }),
    () => postCard(app, seller, id),
  )
  expect([answer.status, answer.body.code]).toEqual([404, 'customer.not_found'])
  await forget()
  const { rows } = await app.sql.query('select id, status, token_sealed from saved_cards where customer_id = $1', [id])
  expect(rows).toMatchObject([{ status: 'deleted', token_sealed: null }])
  expect((await sandboxCards(rows[0].id))[0].deleted_at).toEqual(expect.any(Date))
})

test('204: a deleted card is charged no more, leaves nothing of itself, and is told to its provider until it has heard', async () => {
  const id = await newCustomer()
  const { id: cardId } = await saveCard(app, seller, id)
  const deaf = (real: SavedCards) => ({ delete: cut(async () => real) })
  await answering(deaf, async () => {
    expect((await remove(cardId, id)).status).toBe(204)
    await forget()
  })
  expect((await remove(cardId, id)).status).toBe(204)
  expect(await rowOf(cardId)).toMatchObject({ status: 'deleting', brand: null, last4: null, exp_month: null })
  expect((await cards(id)).body.data).toEqual([])
  const charge = await postPayment(app, seller, { method: 'credit_card', customerId: id, cardId })
  expect([charge.status, charge.body.code]).toEqual([404, 'card.not_found'])
  expect(await sandboxCards(cardId)).toEqual([{ deleted_at: null }])
  await forget()
  expect((await rowOf(cardId)).status).toBe('deleting')
  letPass(61_000)
  await forget()
  expect(await rowOf(cardId)).toMatchObject({ status: 'deleted', token_sealed: null })
  expect((await sandboxCards(cardId))[0].deleted_at).toEqual(expect.any(Date))
  expect((await remove(cardId, id)).status).toBe(204)
  const { rows } = await app.sql.query("select 1 from audit_log where before ->> 'cardId' = $1", [cardId])
  expect(rows).toHaveLength(1)
})

test('204: the cards of an account that ends are forgotten', async () => {
  const other = await sellingSeller(app)
  const { id } = await saveCard(app, other, await newCustomer(other))
  expect((await app.api.delete(`users/${other.id}`, { token: other.token })).status).toBe(204)
  await forget()
  expect(await rowOf(id)).toMatchObject({ status: 'deleted', last4: null, token_sealed: null })
})

test("404: another seller's, and another customer's, card looks exactly like a missing one", async () => {
  const other = await sellingSeller(app)
  const theirs = await newCustomer(other)
  const foreign = await saveCard(app, other, theirs)
  const neighbour = await newCustomer()
  const own = await saveCard(app, seller, neighbour)
  const told = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    { ...body, requestId: '' },
  ]
  for (const cardId of [foreign.id, own.id, randomUUID()]) {
    const path = `customers/${customerId}/cards/${cardId}`
    const answers = [await app.api.get(path, { token: seller.token }), await remove(cardId)]
    const charge = await postPayment(app, seller, { method: 'credit_card', customerId, cardId })
    const missing = await app.api.get(`customers/${customerId}/cards/${randomUUID()}`, { token: seller.token })
    for (const answer of [...answers, charge]) expect(told(answer)).toEqual(told(missing))
  }
  expect((await cards(theirs)).body.code).toBe('customer.not_found')
  expect((await postCard(app, seller, theirs)).body.code).toBe('customer.not_found')
  expect((await cards(theirs, other.token)).body.data).toEqual([foreign])
})

test('401 and 403: no token, an administrator, credentials that may only read', async () => {
  const path = `customers/${customerId}/cards`
  expect((await app.api.get(path)).status).toBe(401)
  expect((await cards(customerId, await adminToken(app))).body.code).toBe('auth.forbidden')
  const reader = await scopedToken(app, await sellingSeller(app), ['customers:read'])
  expect((await postCard(app, { token: reader }, customerId)).body.code).toBe('auth.scope_missing')
})

test('201: the second charge is made with the card, and ends as the card does', async () => {
  const id = await newCustomer()
  const charge = async (cardToken: string, fields: object = {}) => {
    const { id: cardId } = await saveCard(app, seller, id, { cardToken })
    return createPayment(app, seller, { method: 'credit_card', customerId: id, cardId, ...fields })
  }
  const paid = await charge('tok_visa_0001', { installments: 3 })
  const { data } = (await cards(id)).body
  expect(paid).toMatchObject({
    status: 'paid',
    customerId: id,
    card: { cardId: data[0].id, brand: 'visa', last4: '0001' },
  })
  expect(await charge('tok_visa_0004', { capture: false })).toMatchObject({ status: 'authorized' })
  const declined = await charge('tok_elo_0002')
  expect(declined).toMatchObject({
    status: 'failed',
    statusReason: 'card_denied',
    card: { brand: 'elo', last4: '0002' },
  })
  const lost = await charge('tok_visa_0006')
  expect([lost.status, lost.statusReason]).toEqual(['processing', 'provider_timeout'])
  const { rows } = await app.sql.query('select card_token from payments where customer_id = $1', [id])
  expect(rows).toEqual(Array(4).fill({ card_token: null }))
})

test('crash: a payment with a card that never reached the provider is asked for again with it, also once it is deleted', async () => {
  const id = await newCustomer()
  const { id: cardId } = await saveCard(app, seller, id)
  const payment = await createPayment(app, seller, { method: 'credit_card', customerId: id, cardId, capture: false })
  await app.sql.query('delete from sandbox_records where reference = $1', [payment.id.replaceAll('-', '')])
  await app.sql.query(
    `update payments set status = 'created', created_at = created_at - interval '2 minutes' where id = $1`,
    [payment.id],
  )
  await answering(
    () => ({ delete: async () => UNKNOWN }),
    () => remove(cardId, id),
  )
  await app.services.jobs.reconcilePayments.runOnce()
  const { body } = await app.api.get(`payments/${payment.id}`, { token: seller.token })
  expect(body).toMatchObject({ status: 'authorized', card: { cardId } })
})

test.each([
  ['cardToken', { method: 'credit_card' }],
  ['cardId', { method: 'credit_card', cardId: randomUUID(), cardToken: 'tok_0001', customerId: randomUUID() }],
  ['customerId', { method: 'credit_card', cardId: randomUUID() }],
  ['customerId', { method: 'credit_card', cardId: randomUUID(), customer: { name: 'Ana' } }],
  ['cardId', { method: 'pix', cardId: randomUUID(), customerId: randomUUID() }],
])('400: a saved card is its customer’s, and pays in place of a token: %s', async (path, fields) => {
  const { status, body } = await postPayment(app, seller, fields)
  expect([status, body.errors[0].path]).toEqual([400, path])
})
