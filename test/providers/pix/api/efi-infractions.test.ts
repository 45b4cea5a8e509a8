import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Infraction, Infractions } from '../../../../src/providers/pix/api/efi/infractions.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

let psp: TestPsp
let api: PixApi
let infractions: Infractions
let key: string

beforeAll(async () => {
  psp = await startTestPsp()
  const opened = openPixApi(psp)
  api = opened.api
  key = opened.key
  if (api.infractions === undefined) throw new Error('Efí has infractions')
  infractions = api.infractions
})
afterEach(() => psp.control.must('POST', '/reset'))
afterAll(async () => {
  await api.close()
  await psp.close()
})

const open = async (): Promise<{ id: string; endToEndId: string }> => {
  const { endToEndId } = await psp.control.pay({ key, amount: '30.00' })
  const claim = { e2eId: endToEndId, amount: '10.00', comment: 'QR Code falso', situation: 'golpe' }
  const { idInfracao } = await psp.control.must('POST', '/infractions', claim)
  return { id: String(idInfracao), endToEndId }
}

const list = async (): Promise<readonly Infraction[]> =>
  okValue(await infractions.list({ from: new Date(Date.now() - 60_000), to: new Date() })).items

test('a claim is listed with what is claimed and until when it can be answered, and what is claimed is blocked', async () => {
  const { id, endToEndId } = await open()
  const [infraction] = await list()
  expect(infraction).toMatchObject({
    ...{ id, endToEndId, amount: 1_000, status: 'open', situation: 'scam', defendedAt: null, finishedAt: null },
    ...{ openedAt: expect.any(Date), respondBy: expect.any(Date) },
  })
  const balance = okValue(await (api.balance?.get() ?? Promise.reject()))
  expect(balance).toEqual({ available: 2_000, blocked: { judicial: 0, med: 1_000, total: 1_000 } })
  const all = []
  for await (const page of infractions.all({ from: new Date(Date.now() - 40 * 86_400_000), to: new Date() }))
    all.push(...okValue(page).items)
  expect(all).toEqual([infraction])
})

test('a defence is taken once; then it is for the PSP to decide', async () => {
  const { id } = await open()
  expect(await infractions.defend(id, 'O produto foi entregue.')).toEqual({ kind: 'ok', value: undefined })
  expect(await list()).toMatchObject([{ status: 'in_defence', defendedAt: expect.any(Date) }])
  const again = { kind: 'conflict', status: 409, problem: 'InfracaoOperacaoInvalida' }
  expect(await infractions.defend(id, 'De novo.')).toEqual(again)
  await psp.control.must('POST', `/infractions/${id}`, { status: 'REJEITADA', reason: 'Sem fraude' })
  expect(await list()).toMatchObject([{ status: 'rejected', finishedAt: expect.any(Date) }])
})

test('a claim that we agree with sends the money back', async () => {
  const { id, endToEndId } = await open()
  expect((await infractions.accept(id, 'Procede.')).kind).toBe('ok')
  expect(await list()).toMatchObject([{ status: 'accepted' }])
  const { refunds } = okValue(await api.receivedPix.get(endToEndId))
  expect(refunds).toMatchObject([{ amount: 1_000, nature: 'med_fraud', status: 'completed' }])
})

test('after its deadline a defence is refused; of an unknown claim it is missing', async () => {
  const { id } = await open()
  await psp.control.must('POST', '/clock/advance', { days: 8 })
  const late = { kind: 'refused', status: 422, title: 'The defence is not acceptable.' }
  expect(await infractions.defend(id, 'Tarde.')).toMatchObject(late)
  const nowhere = await infractions.defend('00000000-0000-4000-8000-000000000000', 'x')
  expect(nowhere).toEqual({ kind: 'missing', problem: 'InfracaoNaoEncontrada' })
})

test('amounts without decimals, as Efí’s own example has them, and states of tomorrow are read', async () => {
  const paginacao = { paginaAtual: 0, itensPorPagina: 10, quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 }
  const infracao = {
    ...{ idInfracao: '8ad75c93-6150-422c-929e-822f361c7a6b', endToEndId: 'E09089356202312181249APId91a6304' },
    ...{ protocolo: '1313', valor: '100', status: 'EM_RECURSO', tipoSituacao: 'aquisição da conta' },
    dadosAnalise: { abertura: '2023-12-22T16:01:35Z', prazoFinalizacao: '2023-12-29T16:01:35Z' },
  }
  const body = { parametros: { paginacao }, infracoes: [infracao] }
  const action = { kind: 'status', status: 200, body }
  await psp.control.plant({ operation: 'gn.infracoes.list', action, count: 1 })
  expect(await list()).toMatchObject([{ amount: 10_000, status: 'other', situation: 'account_takeover' }])
})
