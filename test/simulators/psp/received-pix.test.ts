import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { brCode } from '../../../src/domain/br-code.ts'
import { centavos } from '../../../src/domain/money.ts'
import { charge, chargeBody, period } from '../../support/psp/charges.ts'
import type { PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
})
afterAll(() => psp.close())

const listed = async (query: Record<string, string | number | boolean> = {}): Promise<Record<string, unknown>[]> => {
  const { status, body } = await client.call('GET', '/pix', undefined, { query: { ...period(), ...query } })
  expect(status).toBe(200)
  return body.pix as Record<string, unknown>[]
}

const balance = async (): Promise<string> => {
  const { body } = await client.own('GET', '/v2/gn/saldo')
  return String(body.saldo)
}

test('a payer pays a charge: it is concluded, and the Pix is found by its id, in the list and at the charge', async () => {
  const txid = await charge(client)
  const payer = { name: 'João Lima', document: '11222333000181', bank: '00416968', info: 'obrigado' }
  const { endToEndId } = await psp.control.pay({ txid, payer })
  expect(endToEndId).toMatch(/^E00416968\d{12}[a-z0-9]{11}$/)
  const pix = (await client.call('GET', `/pix/${endToEndId}`)).body
  expect(pix).toMatchObject({ endToEndId, txid, valor: '37.00', chave: client.key, infoPagador: 'obrigado' })
  expect(await listed()).toEqual([pix])
  expect((await client.call('GET', `/cob/${txid}`)).body).toMatchObject({ status: 'CONCLUIDA', pix: [pix] })
  expect(await balance()).toBe('37.00')
})

test('a payer scans a charge’s code', async () => {
  const txid = await charge(client)
  const { pixCopiaECola } = (await client.call('GET', `/cob/${txid}`)).body
  expect(await psp.control.pay({ brCode: pixCopiaECola })).toMatchObject({ txid, valor: '37.00' })
})

test('a code that was not copied whole is refused', async () => {
  const { pixCopiaECola } = (await client.call('GET', `/cob/${await charge(client)}`)).body
  const brCodeText = String(pixCopiaECola).replace('5303986', '5303840')
  expect((await psp.control.call('POST', '/payments', { brCode: brCodeText })).status).toBe(400)
})

test('a static code pays into the key, with its own short txid and amount', async () => {
  const text = brCode({ key: client.key, amount: centavos(1_250), txid: 'LOJA7', merchantName: 'A', merchantCity: 'B' })
  const { endToEndId } = await psp.control.pay({ brCode: text })
  expect((await client.call('GET', `/pix/${endToEndId}`)).body).toMatchObject({ txid: 'LOJA7', valor: '12.50' })
})

test('a Pix to the key has no txid', async () => {
  const { endToEndId } = await psp.control.pay({ key: client.key, amount: '9.90' })
  expect((await client.call('GET', `/pix/${endToEndId}`)).body).not.toHaveProperty('txid')
  expect(await listed({ txIdPresente: false })).toMatchObject([{ endToEndId }])
  expect(await listed({ txIdPresente: true })).toEqual([])
})

test('another amount than the charge’s can arrive', async () => {
  const txid = await charge(client)
  expect(await psp.control.pay({ txid, amount: '36.99' })).toMatchObject({ valor: '36.99' })
  expect((await client.call('GET', `/cob/${txid}`)).body).toMatchObject({
    status: 'CONCLUIDA',
    valor: { original: '37.00' },
  })
})

test('a charge is paid once, and a second time where a bank lets it through', async () => {
  const txid = await charge(client)
  await psp.control.pay({ txid })
  const refused = await psp.control.call('POST', '/payments', { txid })
  expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('CONCLUIDA') } })
  await psp.control.pay({ txid, force: true })
  expect((await client.call('GET', `/cob/${txid}`)).body.pix).toHaveLength(2)
  expect(await balance()).toBe('74.00')
})

test('an expired charge stays ATIVA; payers’ banks refuse it, and a late Pix concludes it', async () => {
  const txid = await charge(client, { calendario: { expiracao: 60 } })
  await psp.control.must('POST', '/clock/advance', { seconds: 61 })
  expect((await psp.control.call('POST', '/payments', { txid })).status).toBe(409)
  expect((await client.call('GET', `/cob/${txid}`)).body.status).toBe('ATIVA')
  await psp.control.pay({ txid, force: true })
  expect((await client.call('GET', `/cob/${txid}`)).body.status).toBe('CONCLUIDA')
})

test('a Pix of the last second is seen and told only later, with the time at which it was paid', async () => {
  const txid = await charge(client, { calendario: { expiracao: 60 } })
  await psp.control.must('POST', '/clock/advance', { seconds: 90 })
  const { horario } = await psp.control.pay({ txid, secondsAgo: 45 })
  const late = Date.now() + 90_000 - Date.parse(String(horario))
  expect(late).toBeGreaterThanOrEqual(45_000)
  expect(late).toBeLessThan(55_000)
  expect((await client.call('GET', `/cob/${txid}`)).body.status).toBe('CONCLUIDA')
})

test('a Pix for a removed charge arrives, and the charge stays removed', async () => {
  const txid = await charge(client)
  await client.call('PATCH', `/cob/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
  expect((await psp.control.call('POST', '/payments', { txid })).status).toBe(409)
  const { endToEndId } = await psp.control.pay({ txid, force: true })
  expect((await client.call('GET', `/cob/${txid}`)).body).toMatchObject({
    status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    pix: [{ endToEndId }],
  })
})

test('of two merchants with a charge of the same txid, the one that is named is paid', async () => {
  const other = psp.clientOf('merchant-2')
  other.logOut()
  const txid = await charge(client)
  await other.call('PUT', `/cob/${txid}`, chargeBody(other, { valor: { original: '5.00' } }))
  expect((await psp.control.call('POST', '/payments', { txid })).status).toBe(409)
  const { endToEndId } = await psp.control.pay({ txid, merchant: 'merchant-2' })
  expect((await other.call('GET', `/pix/${endToEndId}`)).status).toBe(200)
  expect((await client.call('GET', `/pix/${endToEndId}`)).status).toBe(404)
  expect(await listed()).toEqual([])
})

test('the list filters by txid, payer, refund and period, newest first', async () => {
  const first = await psp.control.pay({ txid: await charge(client) })
  await psp.control.must('POST', '/clock/advance', { seconds: 60 })
  const second = await psp.control.pay({ key: client.key, amount: '5.00', payer: { document: '11222333000181' } })
  await client.call('PUT', `/pix/${first.endToEndId}/devolucao/1`, { valor: '1.00' })
  const ids = async (query: Record<string, string | number | boolean>) =>
    (await listed(query)).map(({ endToEndId }) => endToEndId)

  expect(await ids({})).toEqual([second.endToEndId, first.endToEndId])
  expect(await ids({ txid: String(first.txid) })).toEqual([first.endToEndId])
  expect(await ids({ cnpj: '11222333000181' })).toEqual([second.endToEndId])
  expect(await ids({ devolucaoPresente: true })).toEqual([first.endToEndId])
  expect(await ids({ devolucaoPresente: false })).toEqual([second.endToEndId])
  // Both ends belong to the period.
  expect(await ids({ inicio: String(second.horario), fim: String(second.horario) })).toEqual([second.endToEndId])
})

test('pages are no larger than the PSP serves, and say so', async () => {
  const bb = await startTestPsp({ profile: 'bb' })
  const query = { ...period(), 'paginacao.itensPorPagina': 1_000 }
  const { body } = await bb.client.call('GET', '/pix', undefined, { query })
  expect(body.parametros).toMatchObject({ paginacao: { itensPorPagina: 100, quantidadeDePaginas: 1 } })
  await bb.close()
})

test.each([
  ['bb', 4, 200],
  ['bb', 6, 400],
  ['sicoob', 6, 200],
  ['sicoob', 8, 400],
] as const)('%s: a period of %i days answers %i', async (profile, days, status) => {
  const bank = await startTestPsp({ profile })
  const answer = await bank.client.call('GET', '/pix', undefined, { query: period(days, 0) })
  expect(answer.status).toBe(status)
  await bank.close()
})

test('Inter’s own name of the filter by txid is understood', async () => {
  const inter = await startTestPsp({ profile: 'inter' })
  const txid = await charge(inter.client)
  await inter.control.pay({ txid })
  await inter.control.pay({ key: inter.client.key, amount: '1.00' })
  const { body } = await inter.client.call('GET', '/pix', undefined, { query: { ...period(), txId: txid } })
  expect(body.pix).toHaveLength(1)
  await inter.close()
})

test('404: a Pix that is none', async () => {
  const answer = await client.call('GET', `/pix/${'E'.repeat(32)}`)
  expect(answer.status).toBe(404)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/PixNaoEncontrado')
})

test('the PSP’s fee comes off, and may be wrong for one Pix', async () => {
  await psp.control.must('PATCH', '/merchants/merchant-1', { receivedFee: { percentage: '1.00', fixed: '0.10' } })
  await psp.control.pay({ txid: await charge(client) })
  expect(await balance()).toBe('36.53')
  await psp.control.pay({ txid: await charge(client), fee: '9.99' })
  expect(await balance()).toBe('63.54')
})
