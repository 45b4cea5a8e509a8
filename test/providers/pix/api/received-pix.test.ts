import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { centavos } from '../../../../src/domain/money.ts'
import { splitPeriod } from '../../../../src/providers/pix/api/forms/paging.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES, PROFILES } from '../../../../src/providers/pix/api/profiles.ts'
import type { ReceivedPix } from '../../../../src/providers/pix/api/received-pix.ts'
import { charge } from '../../../support/psp/charges.ts'
import { exchangesOf, misfits, okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)

describe.each(PROFILE_NAMES)('%s', (profile) => {
  let psp: TestPsp
  let api: PixApi
  let key: string

  beforeAll(async () => {
    psp = await startTestPsp({ profile })
    const opened = openPixApi(psp)
    api = opened.api
    key = opened.key
  })
  afterEach(async () => {
    expect(await misfits(psp)).toEqual([])
    await psp.control.must('POST', '/reset')
    psp.client.logOut()
  })
  afterAll(async () => {
    await api.close()
    await psp.close()
  })

  const collect = async (from: Date, pageSize?: number): Promise<ReceivedPix[]> => {
    const all: ReceivedPix[] = []
    for await (const page of api.receivedPix.all({ from, to: new Date() }, { pageSize }))
      all.push(...okValue(page).items)
    return all
  }

  const listsServed = async (): Promise<number> =>
    (await exchangesOf(psp, 'pix.list')).filter(({ status }) => status === 200).length

  test('one is read by its end-to-end id; one that never came is missing', async () => {
    const txid = await charge(psp.client)
    const { endToEndId } = await psp.control.pay({ txid })
    expect(okValue(await api.receivedPix.get(endToEndId))).toEqual({
      ...{ endToEndId, txid, amount: 3_700, key, refunds: [], receivedAt: expect.any(Date) },
      components: { original: 3_700, fine: null, interest: null, rebate: null, discount: null, cash: null },
    })
    const missing = { kind: 'missing', problem: 'PixNaoEncontrado' }
    expect(await api.receivedPix.get('E99999999202611221200abcdefghijk')).toEqual(missing)
  })

  test('a list is filtered by txid and by what has one', async () => {
    const txid = await charge(psp.client)
    const { endToEndId } = await psp.control.pay({ txid })
    const { endToEndId: without } = await psp.control.pay({ key, amount: '9.90' })
    const period = { from: daysAgo(1), to: new Date() }
    const idsOf = async (filter: object): Promise<string[]> =>
      okValue(await api.receivedPix.list({ ...period, ...filter })).items.map((pix) => pix.endToEndId)
    expect(await idsOf({ txid })).toEqual([endToEndId])
    expect(await idsOf({ hasTxid: false })).toEqual([without])
    expect(await idsOf({ hasTxid: true, hasRefund: false })).toEqual([endToEndId])
    expect((await idsOf({})).toSorted()).toEqual([endToEndId, without].toSorted())
  })

  test('a period longer than the PSP serves is asked for in parts, and each Pix comes', async () => {
    const secondsAgo = [1, 4, 8, 15, 22, 40].map((days) => days * 86_400 - 30)
    const paid = await Promise.all(
      secondsAgo.map((seconds) => psp.control.pay({ key, amount: '1.00', secondsAgo: seconds })),
    )
    const received = await collect(daysAgo(41))
    expect(received.map(({ endToEndId }) => endToEndId).toSorted()).toEqual(
      paid.map(({ endToEndId }) => endToEndId).toSorted(),
    )
    const parts = splitPeriod({ from: daysAgo(41), to: new Date() }, PROFILES[profile])
    expect(await listsServed()).toBe(parts.length)
  })

  test('pages that are smaller than was asked for are walked by what was served', async () => {
    for (let index = 0; index < 7; index += 1) await psp.control.pay({ key, amount: `1.0${index}` })
    const received = await collect(daysAgo(1), 3)
    expect(received.map(({ amount }) => amount).toSorted()).toEqual([100, 101, 102, 103, 104, 105, 106])
    expect(await listsServed()).toBe(3)
  })
})

describe('pages', () => {
  let psp: TestPsp
  let api: PixApi
  let key: string

  beforeAll(async () => {
    psp = await startTestPsp({ profile: 'bb' })
    const opened = openPixApi(psp)
    api = opened.api
    key = opened.key
  })
  afterEach(() => psp.control.must('POST', '/reset'))
  afterAll(async () => {
    await api.close()
    await psp.close()
  })

  const plant = (body: unknown) =>
    psp.control.plant({ operation: 'pix.list', action: { kind: 'status', status: 200, body }, count: 1 })
  const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 }
  const period = () => ({ from: daysAgo(1), to: new Date() })

  test('a page that the PSP cuts to a hundred is followed by the rest', async () => {
    for (let index = 0; index < 102; index += 1) await psp.control.pay({ key, amount: '1.00' })
    const pages = []
    for await (const page of api.receivedPix.all(period(), { pageSize: 1_000 })) pages.push(okValue(page))
    expect(pages.map(({ items, size }) => [items.length, size])).toEqual([
      [100, 100],
      [2, 100],
    ])
  })

  test('one odd entry is told apart, and hides no other', async () => {
    const good = { endToEndId: 'E1', valor: '1.00', horario: '2026-11-22T10:00:00Z', novo: { campo: [1] } }
    const odd = { endToEndId: 'E2', valor: 'um real', horario: '2026-11-22T10:00:00Z' }
    await plant({ parametros: { paginacao }, pix: [good, odd, null] })
    expect(okValue(await api.receivedPix.list(period()))).toMatchObject({
      items: [{ endToEndId: 'E1', amount: centavos(100), txid: null, key: null, components: null }],
      unreadable: [
        { at: 'valor', endToEndId: 'E2' },
        { at: 'body', endToEndId: null },
      ],
    })
  })

  test('a page that comes again and again ends the walk instead of looking like the whole list', async () => {
    for (let index = 0; index < 3; index += 1) await psp.control.pay({ key, amount: '1.00' })
    const stuck = { ...paginacao, itensPorPagina: 1, quantidadeDePaginas: 3 }
    const body = {
      parametros: { paginacao: stuck },
      pix: [{ endToEndId: 'E1', valor: '1.00', horario: '2026-11-22T10:00Z' }],
    }
    await psp.control.plant({ operation: 'pix.list', action: { kind: 'status', status: 200, body } })
    const kinds = []
    for await (const page of api.receivedPix.all(period())) kinds.push(page.kind)
    expect(kinds).toEqual(['ok', 'unknown'])
  })

  test('the walk ends at the first page that fails, and says how', async () => {
    await psp.control.plant({ operation: 'pix.list', action: { kind: 'status', status: 503 } })
    const outcomes = []
    for await (const page of api.receivedPix.all({ from: daysAgo(30), to: new Date() })) outcomes.push(page)
    expect(outcomes).toMatchObject([{ kind: 'unknown', reason: 'http_503' }])
  })
})
