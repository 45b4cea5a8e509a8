import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBrCode } from '../../../src/domain/br-code.ts'
import { charge, chargeBody, newTxid, period, violatedFields } from '../../support/psp/charges.ts'
import type { PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
afterAll(() => psp.close())

const REMOVAL = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

test('201: a charge has a location and a code that leads there', async () => {
  const txid = newTxid()
  const { status, body } = await client.call('PUT', `/cob/${txid}`, chargeBody(client))
  expect(status).toBe(201)
  expect(body).toMatchObject({ txid, status: 'ATIVA', revisao: 0, valor: { original: '37.00' }, chave: client.key })
  expect(body.location).toMatch(new RegExp(`^localhost:${psp.psp.publicPort}/qr/v2/[0-9a-f]{32}$`))
  expect(parseBrCode(String(body.pixCopiaECola))?.get('26.25')).toBe(body.location)
})

test('201: without a txid, the PSP chooses one', async () => {
  const { status, body } = await client.call('POST', '/cob', chargeBody(client))
  expect(status).toBe(201)
  expect((await client.call('GET', `/cob/${body.txid}`)).status).toBe(200)
})

test('201: the same request again is answered with the first charge', async () => {
  const txid = newTxid()
  const first = await client.call('PUT', `/cob/${txid}`, chargeBody(client))
  const again = await client.call('PUT', `/cob/${txid}`, chargeBody(client))
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
})

test('201: of ten equal requests at the same time, one charge is made', async () => {
  const txid = newTxid()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => client.call('PUT', `/cob/${txid}`, chargeBody(client))),
  )
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test.each([
  ['efi', 409],
  ['sicoob', 400],
] as const)('another content under a known txid: %s answers %i', async (profile, status) => {
  const other = await startTestPsp({ profile })
  const txid = await charge(other.client)
  const changed = chargeBody(other.client, { valor: { original: '38.00' } })
  const answer = await other.client.call('PUT', `/cob/${txid}`, changed)
  expect(answer.status).toBe(status)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida')
  expect((await other.client.call('GET', `/cob/${txid}`)).body.valor).toEqual({ original: '37.00' })
  await other.close()
})

test('409: a PSP that refuses every repeat can be asked for', async () => {
  await psp.control.must('PATCH', '/settings', { repeatedCharge: 'refused' })
  const txid = await charge(client)
  expect((await client.call('PUT', `/cob/${txid}`, chargeBody(client))).status).toBe(409)
  await psp.control.must('PATCH', '/settings', { repeatedCharge: 'same' })
})

test('the same txid of another merchant is another charge', async () => {
  const other = psp.clientOf('merchant-2')
  const txid = await charge(client)
  const { status } = await other.call('PUT', `/cob/${txid}`, chargeBody(other, { valor: { original: '5.00' } }))
  expect(status).toBe(201)
  expect((await client.call('GET', `/cob/${txid}`)).body.valor).toEqual({ original: '37.00' })
})

test.each([
  ['an amount of nothing', { valor: { original: '0.00' } }, 'cob.valor.original'],
  ['an amount as a number', { valor: { original: 37 } }, 'cob.valor.original'],
  ['an expiry of nothing', { calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
  ['no calendar', { calendario: undefined }, 'cob.calendario'],
  ['a CPF that is none', { devedor: { cpf: '11111111111', nome: 'Maria' } }, 'cob.devedor.cpf'],
  [
    'a debtor with both documents',
    { devedor: { cpf: '52998224725', cnpj: '11222333000181', nome: 'M' } },
    'cob.devedor',
  ],
  ['a field that is none', { expiracao: 3_600 }, 'cob'],
  ['a text for the payer that is too long', { solicitacaoPagador: 'x'.repeat(141) }, 'cob.solicitacaoPagador'],
  ['a key of somebody else', { chave: 'somebody@example.com' }, 'cob.chave'],
  ['a location that is none', { loc: { id: 999_999 } }, 'cob.loc.id'],
])('400: %s', async (_what, changes, field) => {
  const answer = await client.call('PUT', `/cob/${newTxid()}`, chargeBody(client, changes))
  expect(answer.status).toBe(400)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida')
  expect(violatedFields(answer)).toContain(field)
})

test.each(['short', 'x'.repeat(36), 'with-hyphens-which-are-not-allowed'])('400: %s is no txid', async (txid) => {
  const answer = await client.call('PUT', `/cob/${txid}`, chargeBody(client))
  expect(answer.status).toBe(400)
  expect(violatedFields(answer)).toEqual(['cob.txid'])
})

test('400: what is no JSON', async () => {
  const headers = { 'content-type': 'application/json' }
  const answer = await client.own('PUT', `/v2/cob/${newTxid()}`, '{"valor":', { headers })
  expect(answer.status).toBe(400)
  expect(answer.contentType).toMatch(/^application\/problem\+json/)
})

test('200: a revision changes what it names, counts on, and keeps what was', async () => {
  const txid = await charge(client)
  const revised = await client.call('PATCH', `/cob/${txid}`, { valor: { original: '40.00' } })
  expect(revised.status).toBe(200)
  expect(revised.body).toMatchObject({ revisao: 1, valor: { original: '40.00' }, solicitacaoPagador: 'Pedido 77' })
  expect((await client.call('GET', `/cob/${txid}`, undefined, { query: { revisao: 0 } })).body).toMatchObject({
    revisao: 0,
    valor: { original: '37.00' },
  })
  const none = await client.call('GET', `/cob/${txid}`, undefined, { query: { revisao: 7 } })
  expect(none.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobConsultaInvalida')
})

test('200: a removal ends a charge, and nothing changes it afterwards', async () => {
  const txid = await charge(client)
  const removed = await client.call('PATCH', `/cob/${txid}`, REMOVAL)
  expect(removed.status).toBe(200)
  expect(removed.body.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  expect((await client.call('PATCH', `/cob/${txid}`, { valor: { original: '1.00' } })).status).toBe(400)
  expect((await client.call('PATCH', `/cob/${txid}`, REMOVAL)).status).toBe(400)
})

test('400: a removal together with other changes', async () => {
  const answer = await client.call('PATCH', `/cob/${await charge(client)}`, { ...REMOVAL, valor: { original: '1.00' } })
  expect(answer.status).toBe(400)
  expect(violatedFields(answer)).toEqual(['cob.status'])
})

test('400: a removal that comes after the payer is refused, and the charge is paid', async () => {
  const txid = await charge(client)
  await psp.control.pay({ txid })
  expect((await client.call('PATCH', `/cob/${txid}`, REMOVAL)).status).toBe(400)
  expect((await client.call('GET', `/cob/${txid}`)).body.status).toBe('CONCLUIDA')
})

test('the PSP removes a charge', async () => {
  const txid = await charge(client)
  await psp.control.must('POST', `/charges/${txid}/remove`, {})
  expect((await client.call('GET', `/cob/${txid}`)).body.status).toBe('REMOVIDA_PELO_PSP')
  expect((await psp.control.call('POST', `/charges/${txid}/remove`, {})).status).toBe(409)
})

test('404: a charge that is none, to read and to revise', async () => {
  const path = `/cob/${newTxid()}`
  const answer = await client.call('GET', path)
  expect(answer.status).toBe(404)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado')
  expect((await client.call('PATCH', path, REMOVAL)).status).toBe(404)
})

test('200: a list has the charges of a period, the newest first, by state, debtor and location, page by page', async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  const txids = [await charge(client), await charge(client), await charge(client)]
  await psp.control.pay({ txid: txids[0] })
  const list = async (query: Record<string, string | number | boolean>) =>
    (await client.call('GET', '/cob', undefined, { query: { ...period(), ...query } })).body
  const txidsOf = ({ cobs }: Record<string, unknown>) => (cobs as { txid: string }[]).map(({ txid }) => txid)

  expect(txidsOf(await list({})).toSorted()).toEqual(txids.toSorted())
  expect(txidsOf(await list({ status: 'CONCLUIDA' }))).toEqual([txids[0]])
  expect(txidsOf(await list({ cpf: '52998224725' }))).toHaveLength(3)
  expect(txidsOf(await list({ cnpj: '11222333000181' }))).toHaveLength(0)
  expect(txidsOf(await list({ locationPresente: false }))).toHaveLength(0)
  expect(await list({ ...period(-1, 2) })).toMatchObject({ cobs: [] })

  const page = await list({ 'paginacao.itensPorPagina': 2, 'paginacao.paginaAtual': 1 })
  expect(txidsOf(page)).toHaveLength(1)
  expect(page.parametros).toMatchObject({
    paginacao: { paginaAtual: 1, itensPorPagina: 2, quantidadeDePaginas: 2, quantidadeTotalDeItens: 3 },
  })
})

test.each([
  ['no period', {}],
  ['an end before the beginning', { inicio: '2026-01-02T00:00:00Z', fim: '2026-01-01T00:00:00Z' }],
  ['a period that is too long', { inicio: '2026-01-01T00:00:00Z', fim: '2026-03-01T00:00:00Z' }],
  ['a page before the first', { ...period(), 'paginacao.paginaAtual': -1 }],
  ['pages of nothing', { ...period(), 'paginacao.itensPorPagina': 0 }],
  ['both documents', { ...period(), cpf: '52998224725', cnpj: '11222333000181' }],
])('400: a list with %s', async (_what, query) => {
  const answer = await client.call('GET', '/cob', undefined, { query })
  expect(answer.status).toBe(400)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobConsultaInvalida')
})

test('404: an address that is none of the profile’s', async () => {
  const answer = await client.own('GET', '/pix/v2/cob')
  expect(answer.status).toBe(404)
  expect(answer.contentType).toMatch(/^application\/problem\+json/)
})
