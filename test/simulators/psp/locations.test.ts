import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, onBusinessDay, saoPauloDate } from '../../../src/domain/calendar.ts'
import { charge, chargeBody, dueChargeBody, newTxid, period, violatedFields } from '../../support/psp/charges.ts'
import { type PspClient, theStandard } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient
/** A payer's bank: it believes the authority and has no certificate. */
let payersBank: Agent

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
  payersBank = new Agent({ connect: { ca: psp.psp.certificates.authority } })
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
})
afterAll(async () => {
  await payersBank.close()
  await psp.close()
})

const read = async (location: unknown, query = '') => {
  const answer = await request(`https://${location}${query}`, { dispatcher: payersBank })
  return { status: answer.statusCode, type: String(answer.headers['content-type']), text: await answer.body.text() }
}

/** What a payer's bank reads at a location, with its signature proven by the keys that its header names. */
const payloadAt = async (location: unknown, query = ''): Promise<Record<string, unknown>> => {
  const { status, type, text } = await read(location, query)
  expect(status).toBe(200)
  expect(type).toBe('application/jose')
  const { jku } = decodeProtectedHeader(text)
  const keys = await request(String(jku), { dispatcher: payersBank })
  const jwks = createLocalJWKSet((await keys.body.json()) as JSONWebKeySet)
  const { payload } = await compactVerify(text, jwks)
  return JSON.parse(new TextDecoder().decode(payload))
}

const locationOf = async (kind: 'cob' | 'cobv', txid: string): Promise<unknown> =>
  (await client.call('GET', `/${kind}/${txid}`)).body.location

test('a charge’s location resolves to a signed payload of the standard', async () => {
  const txid = await charge(client)
  const payload = await payloadAt(await locationOf('cob', txid))
  expect(theStandard().judgePayload(payload)).toBeUndefined()
  expect(payload).toMatchObject({ txid, status: 'ATIVA', revisao: 0, valor: { original: '37.00' }, chave: client.key })
})

test('a due charge’s payload has the amount of the day on which the payer intends to pay', async () => {
  const txid = newTxid()
  const dueDate = onBusinessDay(addDays(saoPauloDate(new Date()), 10))
  const multa = { modalidade: 1, valorPerc: '5.00' }
  await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate, { multa }))
  const location = await locationOf('cobv', txid)
  const today = await payloadAt(location)
  expect(theStandard().judgeDuePayload(today)).toBeUndefined()
  expect(today.valor).toEqual({ original: '100.00', final: '100.00' })
  const later = await payloadAt(location, `?DPP=${addDays(dueDate, 3)}&codMun=3550308`)
  expect(later.valor).toEqual({ original: '100.00', multa: '5.00', final: '105.00' })
  for (const date of ['2020-01-01', '2099-01-01', 'tomorrow']) {
    expect(await read(location, `?DPP=${date}`)).toMatchObject({
      status: 400,
      type: expect.stringContaining('problem+json'),
    })
  }
})

test('a revised charge is read as it is now; a paid or removed one is gone', async () => {
  const txid = await charge(client)
  const location = await locationOf('cob', txid)
  await client.call('PATCH', `/cob/${txid}`, { valor: { original: '40.00' } })
  expect(await payloadAt(location)).toMatchObject({ revisao: 1, valor: { original: '40.00' } })
  await psp.control.pay({ txid })
  expect(await read(location)).toMatchObject({ status: 410 })
})

test('404: a location that is none', async () => {
  const { status, text } = await read(`localhost:${psp.psp.publicPort}/qr/v2/${'0'.repeat(32)}`)
  expect(status).toBe(404)
  expect(JSON.parse(text).type).toBe('https://pix.bcb.gov.br/api/v2/error/CobPayloadNaoEncontrado')
})

test('a location is made first, used by one charge, and left again', async () => {
  const made = (await client.call('POST', '/loc', { tipoCob: 'cob' })).body
  expect(await read(made.location)).toMatchObject({ status: 404 })
  const txid = await charge(client, { loc: { id: made.id } })
  expect((await client.call('GET', `/loc/${made.id}`)).body).toMatchObject({ id: made.id, txid })
  expect(await payloadAt(made.location)).toMatchObject({ txid })

  const taken = await client.call('PUT', `/cob/${newTxid()}`, chargeBody(client, { loc: { id: made.id } }))
  expect(taken.status).toBe(400)
  expect(violatedFields(taken)).toEqual(['cob.loc.id'])

  const left = await client.call('DELETE', `/loc/${made.id}/txid`)
  expect(left.body).not.toHaveProperty('txid')
  expect((await client.call('GET', `/cob/${txid}`)).body).not.toHaveProperty('pixCopiaECola')
  expect((await read(made.location)).status).toBe(404)
})

test('a charge moves to another location without a revision', async () => {
  const txid = await charge(client)
  const before = await locationOf('cob', txid)
  const { id, location } = (await client.call('POST', '/loc', { tipoCob: 'cob' })).body
  const moved = await client.call('PATCH', `/cob/${txid}`, { loc: { id } })
  expect(moved.body).toMatchObject({ revisao: 0, location })
  expect((await read(before)).status).toBe(404)
  expect(await payloadAt(location)).toMatchObject({ txid })
})

test('400: a location of the other kind, and of another merchant', async () => {
  const due = (await client.call('POST', '/loc', { tipoCob: 'cobv' })).body
  expect((await client.call('PUT', `/cob/${newTxid()}`, chargeBody(client, { loc: { id: due.id } }))).status).toBe(400)
  const other = psp.clientOf('merchant-2')
  other.logOut()
  expect(
    (await other.call('PUT', `/cobv/${newTxid()}`, { ...dueChargeBody(other, '2099-01-05'), loc: { id: due.id } }))
      .status,
  ).toBe(400)
  expect((await other.call('GET', `/loc/${due.id}`)).status).toBe(404)
  expect((await client.call('POST', '/loc', { tipoCob: 'rec' })).status).toBe(400)
})

test('200: the list of locations, by kind and by whether a charge is there', async () => {
  const free = (await client.call('POST', '/loc', { tipoCob: 'cobv' })).body
  await charge(client)
  const idsOf = async (query: Record<string, string | boolean>) => {
    const { body } = await client.call('GET', '/loc', undefined, { query: { ...period(), ...query } })
    return (body.loc as { id: number }[]).map(({ id }) => id)
  }
  expect(await idsOf({})).toHaveLength(2)
  expect(await idsOf({ tipoCob: 'cobv' })).toEqual([free.id])
  expect(await idsOf({ txIdPresente: false })).toEqual([free.id])
  expect(await idsOf({ txIdPresente: true })).toHaveLength(1)
})

test('Efí draws the code of a location', async () => {
  const { loc, pixCopiaECola } = (await client.call('GET', `/cob/${await charge(client)}`)).body
  const { body } = await client.own('GET', `/v2/loc/${(loc as { id: number }).id}/qrcode`)
  expect(body.qrcode).toBe(pixCopiaECola)
  expect(body.imagemQrcode).toMatch(/^data:image\/png;base64,/)
})
