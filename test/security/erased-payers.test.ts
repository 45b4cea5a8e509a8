import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { lastProviderEvent, paidNotification, signedCallback } from '../support/callbacks.ts'
import { createCustomer, newCpf, scopedToken } from '../support/customers.ts'
import { registerSeller, type Seller } from '../support/factories.ts'
import { createLink, payLink, postLinkPayment } from '../support/payment-links.ts'
import { createPayment, getPayment, pay, postPayment, sellingSeller } from '../support/payments.ts'
import { postCard } from '../support/saved-cards.ts'
import { drain, newWebhook } from '../support/webhooks.ts'

let app: TestApp
let seller: Seller
let echo: Server
let hook: string
const received: string[] = []
const echoUrl = (path: string) => `http://127.0.0.1:${(echo.address() as AddressInfo).port}${path}`

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  // A receiver that says what it was told, as those in debug mode do.
  echo = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push(body)
    response.end(body)
  })
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  hook = await newWebhook(app, seller, echoUrl('/hook'))
  const mails = { company: true, withdrawals: true, disputes: true, dailyDigest: true }
  const preferences = { language: 'pt', mails, payerReceipts: true }
  const path = `users/${seller.id}/notifications`
  expect((await app.api.put(path, { token: seller.token, body: preferences })).status).toBe(200)
})
afterAll(async () => {
  echo.close()
  await app.close()
})

type Person = { name: string; document: string; email: string; phone: string }

const newPerson = (name: string): Person => ({
  name,
  document: newCpf(),
  email: `payer.${crypto.randomUUID().slice(0, 8)}@example.com`,
  phone: `119${String(Date.now()).slice(-8)}`,
})

const masked = (cpf: string) => `${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-`

/** Everything in the database that tells of a person, as `table: text`. */
const tracesOf = async ({ name, document, email, phone }: Person): Promise<string[]> => {
  const { rows: tables } = await app.sql.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname !~ '^schema_'`,
  )
  expect(tables.length).toBeGreaterThan(40)
  const texts = [name, document, masked(document), email, phone].map((text) => `%${text}%`)
  const found = await Promise.all(
    tables.map(async ({ name: table }) => {
      const { rows } = await app.sql.query<{ text: string }>(
        `select t::text as text from "${table}" t where t::text ilike any($1)`,
        [texts],
      )
      return rows.map(({ text }) => `${table}: ${text}`)
    }),
  )
  return found.flat()
}

const tablesOf = async (person: Person): Promise<string[]> => [
  ...new Set((await tracesOf(person)).map((trace) => trace.split(':')[0] ?? '')),
]

const deliver = () => drain(app.services.webhookEngine)
const eraseCopies = () => drain(app.services.jobs.eraseCopies)

const erase = async (body: object) => {
  const answer = await app.api.post('personal-data/erasures', { token: seller.token, body })
  expect(answer.status).toBe(201)
  await eraseCopies()
  return (await app.api.get(`personal-data/erasures/${answer.body.id}`, { token: seller.token })).body
}

const key = () => ({ 'idempotency-key': crypto.randomUUID() })

test('a deleted customer is in no table any more, and amounts stay', async () => {
  const person = newPerson('Joaquina Ferraz Albuquerque')
  const headers = key()
  const body = { ...person, externalReference: null }
  const { id } = (await app.api.post('customers', { token: seller.token, body, headers })).body
  const create = { method: 'pix', amount: 12_345, customerId: id }
  const payment = (await app.api.post('payments', { token: seller.token, body: create, headers })).body
  await pay(app, seller, payment.id)
  await deliver()
  await drain(app.services.jobs.sendMails)
  const before = await tablesOf(person)
  expect(before.sort()).toEqual(['customers', 'events', 'idempotency_keys', 'payments', 'webhook_attempts'])
  expect((await app.api.delete(`customers/${id}`, { token: seller.token })).status).toBe(204)
  await eraseCopies()
  expect(await tracesOf(person)).toEqual([])
  expect(await getPayment(app, seller, payment.id)).toMatchObject({ status: 'paid', paidAmount: 12_345 })
  const again = await app.api.post('payments', { token: seller.token, body: create, headers })
  expect([again.status, again.body.id, again.body.customer.name]).toEqual([201, payment.id, 'Anonimizado'])
})

test('a payer of a link, who is no customer, is erased by document: by API and on the page, with and without a key', async () => {
  const person = newPerson('Benedito Quaresma Pompeu')
  const link = await createLink(app, seller)
  const paid = await postLinkPayment(app, link, { customer: person }, key())
  await pay(app, seller, paid.body.id)
  const { phone: _phone, ...typed } = person
  const card = { method: 'credit_card', cardToken: 'tok_sandbox_0000', installments: '1' }
  const form = { ...card, ...typed, nonce: crypto.randomUUID(), after: '' }
  const shown = await fetch(`${app.url}/pay/${link.hash}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.url },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  })
  expect(shown.status).toBe(303)
  await createPayment(app, seller, { customer: person })
  await deliver()
  expect((await tablesOf(person)).sort()).toEqual(['events', 'idempotency_keys', 'payments', 'webhook_attempts'])
  const erasure = await erase({ document: person.document })
  expect(erasure).toMatchObject({ status: 'completed', customersCount: 0, paymentsCount: 3 })
  expect(await tracesOf(person)).toEqual([])
})

test('a callback that names the payer tells of nobody once it was processed, and is known again by its hash', async () => {
  const person = newPerson('Sebastiana Queiroz Malta')
  const { id } = await createPayment(app, seller, { customer: person })
  const notified = JSON.parse(signedCallback(app, [paidNotification(id)]).body)
  const pix = [{ pagador: { nome: person.name, cpf: person.document }, infoPagador: person.email }]
  const body = JSON.stringify({ ...notified, pix, gnExtras: { payer: person } })
  const signature = signSandboxCallback(sandboxSecret(app.config.encryptionKey), body, Date.now())
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
  for (let times = 0; times < 2; times += 1) {
    expect((await app.api.post('/callbacks/sandbox', { body, headers })).status).toBe(200)
    await app.services.providerEvents.idle()
  }
  expect(await lastProviderEvent(app)).toMatchObject({ status: 'processed', times_received: 2 })
  await erase({ paymentId: id })
  await deliver()
  expect(await tracesOf(person)).toEqual([])
})

test('what is sent again after an erasure tells of nobody, and is signed as what it is', async () => {
  const person = newPerson('Leocádia Mendonça Prates')
  const { id } = await payLink(app, await createLink(app, seller), { customer: person })
  await deliver()
  expect(received.join()).toContain(person.name)
  await erase({ paymentId: id })
  received.length = 0
  const { data } = (await app.api.get(`seller-webhooks/${hook}/deliveries?perPage=1`, { token: seller.token })).body
  await app.api.post(`seller-webhooks/${hook}/deliveries/${data[0].id}/resend`, { token: seller.token })
  const other = await newWebhook(app, seller, echoUrl('/other'))
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await app.api.post(`seller-webhooks/${other}/recover`, { token: seller.token, body: { since } })
  await deliver()
  expect(received.length).toBeGreaterThan(1)
  expect(received.join()).not.toContain(person.name)
  expect(received.join()).toContain('"customer":{"name":"Anonimizado","document":null,"email":null,"phone":null}')
  const attempts = await app.sql.query("select distinct result from webhook_attempts where result <> 'succeeded'")
  expect(attempts.rows).toEqual([])
  await app.api.delete(`seller-webhooks/${other}`, { token: seller.token })
})

test('an e-mail address finds customers and payers, in as many steps as there are payments', async () => {
  const person = newPerson('Dorival Camargo Teles')
  const customer = await createCustomer(app, seller, { ...person, externalReference: null })
  await createPayment(app, seller, { customerId: customer.id })
  await createPayment(app, seller, { customer: { name: person.name, email: person.email } })
  const erasure = await erase({ email: person.email.toUpperCase() })
  expect(erasure).toMatchObject({ status: 'completed', customersCount: 1, paymentsCount: 2 })
  expect(await tracesOf(person)).toEqual([])
})

test('saved cards go with whoever is erased, however they are named, and their provider forgets them', async () => {
  const ways: ((person: Person & { id: string }) => Promise<unknown>)[] = [
    ({ id }) => app.api.delete(`customers/${id}`, { token: seller.token }),
    ({ id: customerId }) => erase({ customerId }),
    ({ document }) => erase({ document }),
    ({ email }) => erase({ email }),
  ]
  for (const eraseThem of ways) {
    const person = newPerson('Policarpo Brandão Viegas')
    const { id } = await createCustomer(app, seller, { ...person, externalReference: null })
    const { body: card } = await postCard(app, seller, id, {}, { key: crypto.randomUUID() })
    const { body } = await app.api.post('personal-data/exports', { token: seller.token, body: { customerId: id } })
    expect(body.cards).toEqual({ totalRecords: 1, data: [card] })
    expect(body.answers.data).toMatchObject([{ operation: `POST /api/v1/customers/${id}/cards` }])
    await eraseThem({ ...person, id })
    await app.services.jobs.forgetCards.runOnce()
    const { rows } = await app.sql.query('select * from saved_cards where id = $1', [card.id])
    expect(rows).toMatchObject([{ status: 'deleted', token_sealed: null, brand: null, last4: null, exp_year: null }])
    const kept = await app.sql.query('select deleted_at from sandbox_cards where reference = $1', [
      card.id.replaceAll('-', ''),
    ])
    expect(kept.rows).toEqual([{ deleted_at: expect.any(Date) }])
  }
})

test('receipts that wait for a payer who was erased go to nobody', async () => {
  const person = newPerson('Ermelinda Bastos Coelho')
  const { id } = await payLink(app, await createLink(app, seller), { customer: person })
  await pay(app, seller, id)
  await deliver()
  await erase({ document: person.document })
  await drain(app.services.jobs.sendMails)
  const { rows } = await app.sql.query(
    "select status, reason from mails where kind = 'payment_receipt' order by created_at desc, id desc limit 1",
  )
  expect(rows).toEqual([{ status: 'canceled', reason: 'no_recipient' }])
})

test('others of the same name, and the same person at another seller, are left alone', async () => {
  const person = newPerson('Genoveva Lins Cardoso')
  const other = await sellingSeller(app)
  const payment = await createPayment(app, other, { customer: person })
  const namesake = await createPayment(app, seller, { customer: { name: person.name, document: newCpf() } })
  expect(await erase({ document: person.document })).toMatchObject({ paymentsCount: 0, status: 'completed' })
  expect((await getPayment(app, other, payment.id)).customer.email).toBe(person.email)
  expect((await getPayment(app, seller, namesake.id)).customer.name).toBe(person.name)
})

test('200: an export of a payer holds what is kept, where it was told, and which webhooks said something', async () => {
  const person = newPerson('Hermínio Salgado Vidal')
  const payment = (await postPayment(app, seller, { customer: person }, { key: crypto.randomUUID() })).body
  await pay(app, seller, payment.id)
  await deliver()
  await drain(app.services.jobs.sendMails)
  const { status, body } = await app.api.post('personal-data/exports', {
    token: seller.token,
    body: { document: person.document },
  })
  expect(status).toBe(200)
  expect(body.payments.data).toMatchObject([{ id: payment.id, customer: person }])
  expect(body.events.data.map(({ type }: { type: string }) => type).sort()).toEqual(['payment.created', 'payment.paid'])
  const { url } = (await app.api.get(`seller-webhooks/${hook}`, { token: seller.token })).body
  for (const event of body.events.data) expect([event.sentTo, event.repeatedBy]).toEqual([[url], [url]])
  expect(body.answers.data).toMatchObject([{ operation: 'POST /api/v1/payments' }])
  expect(body.receipts.data).toMatchObject([{ status: 'sent' }])
  const none = await app.api.post('personal-data/exports', { token: seller.token, body: { document: newCpf() } })
  expect([none.status, none.body.payments.totalRecords, none.body.events.totalRecords]).toEqual([200, 0, 0])
})

test('400, 403 and 404: nobody named or two, a token without the scope, somebody else’s', async () => {
  const post = (body: object, token = seller.token) => app.api.post('personal-data/erasures', { token, body })
  for (const body of [{}, { document: newCpf(), email: 'a@example.com' }, { document: '123' }, { name: 'Maria' }]) {
    expect((await post(body)).status).toBe(400)
  }
  const reader = await registerSeller(app)
  expect((await post({ document: newCpf() }, await scopedToken(app, reader, ['customers:read']))).status).toBe(403)
  const payment = await createPayment(app, seller)
  const foreign = await post({ paymentId: payment.id }, reader.token)
  expect([foreign.status, foreign.body.code]).toEqual([404, 'payment.not_found'])
  const customer = await createCustomer(app, seller)
  expect((await post({ customerId: customer.id }, reader.token)).body.code).toBe('customer.not_found')
  const { body } = await post({ document: newCpf() })
  const read = await app.api.get(`personal-data/erasures/${body.id}`, { token: reader.token })
  expect([read.status, read.body.code]).toEqual([404, 'erasure.not_found'])
})
