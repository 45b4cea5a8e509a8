import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge, period } from '../../support/psp/charges.ts'
import type { PspAnswer, PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient
/** A Pix of R$ 37,00 that its payer reports. */
let e2eId: string

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  e2eId = (await psp.control.pay({ txid: await charge(client) })).endToEndId
})
afterAll(() => psp.close())

const open = async (more: Record<string, unknown> = {}): Promise<string> =>
  String((await psp.control.must('POST', '/infractions', { e2eId, ...more })).idInfracao)

const listed = async (): Promise<Record<string, unknown>[]> => {
  const { status, body } = await client.own('GET', '/v2/gn/infracoes', undefined, { query: period() })
  expect(status).toBe(200)
  return body.infracoes as Record<string, unknown>[]
}

const defend = (id: string, analise: string): Promise<PspAnswer> =>
  client.own('POST', `/v2/gn/infracoes/${id}/defesa`, { analise, justificativa: 'O produto foi entregue.' })

const decide = (id: string, status: string) =>
  psp.control.must('POST', `/infractions/${id}`, { status, reason: 'Análise' })

const saldo = async (): Promise<PspAnswer['body']> =>
  (await client.own('GET', '/v2/gn/saldo', undefined, { query: { bloqueios: true } })).body

const refunds = async (): Promise<unknown> => (await client.call('GET', `/pix/${e2eId}`)).body.devolucoes

test('an infraction is listed, and what it claims is blocked', async () => {
  const id = await open({ amount: '30.00', situation: 'golpe', comment: 'QR Code falso' })
  expect(await listed()).toMatchObject([
    {
      idInfracao: id,
      endToEndId: e2eId,
      valor: '30.00',
      status: 'ABERTA',
      tipoSituacao: 'golpe',
      comentario: 'QR Code falso',
      destino: { documento: client.merchant.cnpj },
      dadosAnalise: { abertura: expect.any(String), prazoFinalizacao: expect.any(String) },
    },
  ])
  expect(await saldo()).toEqual({ saldo: '7.00', bloqueios: { judicial: '0.00', med: '30.00', total: '30.00' } })
  expect((await client.own('GET', '/v2/gn/saldo')).body).toEqual({ saldo: '7.00' })
})

test('defended and rejected, the money stays', async () => {
  const id = await open()
  expect((await defend(id, 'rejeitado')).status).toBe(201)
  expect(await listed()).toMatchObject([{ status: 'EM_DEFESA', defesa: 'O produto foi entregue.' }])
  expect(await defend(id, 'rejeitado')).toMatchObject({ status: 409 })
  await decide(id, 'REJEITADA')
  expect(await listed()).toMatchObject([{ status: 'REJEITADA', justificativaAnalista: 'Análise' }])
  expect(await saldo()).toMatchObject({ saldo: '37.00', bloqueios: { med: '0.00' } })
  expect(await refunds()).toBeUndefined()
})

test('defended and accepted all the same, the PSP sends the money back', async () => {
  const id = await open({ amount: '30.00' })
  await defend(id, 'rejeitado')
  await decide(id, 'ACEITA')
  expect(await refunds()).toMatchObject([{ natureza: 'MED_FRAUDE', valor: '30.00', status: 'DEVOLVIDO' }])
  expect(await saldo()).toMatchObject({ saldo: '7.00', bloqueios: { med: '0.00' } })
  expect((await psp.control.call('POST', `/infractions/${id}`, { status: 'REJEITADA' })).status).toBe(409)
})

test('a merchant who accepts the claim sends the money back', async () => {
  expect((await defend(await open(), 'aceito')).status).toBe(201)
  expect(await listed()).toMatchObject([{ status: 'ACEITA' }])
  expect(await refunds()).toMatchObject([{ natureza: 'MED_FRAUDE', valor: '37.00' }])
})

test('of what was refunded before, nothing goes back twice', async () => {
  await client.call('PUT', `/pix/${e2eId}/devolucao/R1`, { valor: '30.00' })
  await decide(await open(), 'ACEITA')
  expect(await refunds()).toMatchObject([{ valor: '30.00' }, { natureza: 'MED_FRAUDE', valor: '7.00' }])
})

test('a claim is taken back', async () => {
  await decide(await open(), 'CANCELADA_EFI')
  expect(await listed()).toMatchObject([{ status: 'CANCELADA_EFI', dadosAnalise: { finalizacao: expect.any(String) } }])
})

test('422: a defence after the deadline', async () => {
  const id = await open()
  await psp.control.must('POST', '/clock/advance', { days: 8 })
  client.logOut()
  expect(await defend(id, 'rejeitado')).toMatchObject({
    status: 422,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/InfracaoOperacaoInvalida' },
  })
})

test('404: of another merchant; 400: an analysis that is none; 409: more than was paid', async () => {
  const id = await open()
  const other = psp.clientOf('merchant-2')
  other.logOut()
  const body = { analise: 'rejeitado', justificativa: 'x' }
  expect((await other.own('POST', `/v2/gn/infracoes/${id}/defesa`, body)).status).toBe(404)
  expect((await defend(id, 'talvez')).status).toBe(400)
  expect((await psp.control.call('POST', '/infractions', { e2eId, amount: '37.01' })).status).toBe(409)
})
