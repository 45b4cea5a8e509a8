import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { centavos } from '../../../../src/domain/money.ts'
import type { ChargeInput } from '../../../../src/providers/pix/api/charges.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES } from '../../../../src/providers/pix/api/profiles.ts'
import { newTxid } from '../../../support/psp/charges.ts'
import { exchangesOf, misfits, okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

const input = (key: string, changes: Partial<ChargeInput> = {}): ChargeInput => ({
  ...{ amount: centavos(3_700), expiresInSeconds: 3_600, key },
  payer: { name: 'Maria Souza', document: '52998224725' },
  message: 'Pedido 77',
  details: [{ name: 'Pedido', value: '77' }],
  ...changes,
})

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
  })
  afterAll(async () => {
    await api.close()
    await psp.close()
  })

  test('a charge is made, read, paid and listed', async () => {
    const txid = newTxid()
    const made = okValue(await api.charges.put(txid, input(key)))
    expect(made).toMatchObject({
      ...{ txid, status: 'active', revision: 0, key, amount: 3_700, expiresInSeconds: 3_600, received: [] },
      qrCode: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
      createdAt: expect.any(Date),
    })
    expect(okValue(await api.charges.get(txid))).toEqual(made)

    const { endToEndId } = await psp.control.pay({ brCode: made.qrCode })
    const paid = okValue(await api.charges.get(txid))
    expect(paid.status).toBe('paid')
    expect(paid.received).toMatchObject([{ endToEndId, txid, amount: 3_700, refunds: [] }])

    const page = okValue(await api.charges.list({ from: new Date(Date.now() - 60_000), to: new Date() }))
    expect(page).toEqual({ items: [paid], unreadable: [], number: 0, size: 100, pagesCount: 1, itemsCount: 1 })
  })

  test('the same charge again is the same; another under its txid is a conflict', async () => {
    const txid = newTxid()
    const made = okValue(await api.charges.put(txid, input(key)))
    expect(okValue(await api.charges.put(txid, input(key)))).toEqual(made)
    const other = await api.charges.put(txid, input(key, { amount: centavos(1) }))
    expect(other).toMatchObject({ kind: 'conflict', problem: 'CobOperacaoInvalida' })
    expect(okValue(await api.charges.get(txid)).amount).toBe(3_700)
  })

  test('an active charge is changed and removed; one that is paid is a conflict', async () => {
    const txid = newTxid()
    await api.charges.put(txid, input(key))
    const changed = okValue(await api.charges.review(txid, { amount: centavos(3_800), expiresInSeconds: 60 }))
    expect(changed).toMatchObject({ revision: 1, amount: 3_800, expiresInSeconds: 60, status: 'active' })
    expect(okValue(await api.charges.remove(txid)).status).toBe('removed')

    const paid = newTxid()
    await api.charges.put(paid, input(key))
    await psp.control.pay({ txid: paid })
    expect(await api.charges.remove(paid)).toMatchObject({ kind: 'conflict' })
    expect(okValue(await api.charges.get(paid)).status).toBe('paid')
  })

  test('a charge that nobody made is missing, also for who wants to change it', async () => {
    const missing = { kind: 'missing', problem: 'CobNaoEncontrado' }
    expect(await api.charges.get(newTxid())).toEqual(missing)
    expect(await api.charges.remove(newTxid())).toEqual(missing)
  })

  test('a refusal says which of our fields it is about', async () => {
    const payer = { name: 'Maria Souza', document: '52998224724' }
    expect(await api.charges.put(newTxid(), input('someone@example.com'))).toEqual({
      ...{ kind: 'refused', status: 400, problem: 'CobOperacaoInvalida', title: 'The charge is not acceptable.' },
      fields: ['key'],
    })
    expect(await api.charges.put(newTxid(), input(key, { amount: centavos(0) }))).toMatchObject({ fields: ['amount'] })
    expect(await api.charges.put(newTxid(), input(key, { payer }))).toMatchObject({ kind: 'refused' })
  })
})

test('Inter’s account and Banco do Brasil’s application are named where they are configured', async () => {
  const inter = await startTestPsp({ profile: 'inter' })
  const bb = await startTestPsp({ profile: 'bb' })
  const clients = [
    openPixApi(inter, { accountNumber: '123456789' }),
    openPixApi(bb, { applicationKey: 'app-1' }),
    openPixApi(inter, { applicationKey: 'not-for-inter' }),
  ]
  for (const { api } of clients) await api.charges.get(newTxid())
  const [atInter, without] = await exchangesOf(inter, 'cob.get')
  const [atBb] = await exchangesOf(bb, 'cob.get')
  expect(atInter?.requestHeaders['x-conta-corrente']).toBe('123456789')
  expect(without?.url).not.toContain('gw-dev-app-key')
  expect(without?.requestHeaders['x-conta-corrente']).toBeUndefined()
  expect(atBb?.url).toMatch(/\?gw-dev-app-key=app-1$/)
  await Promise.all([...clients.map(({ api }) => api.close()), inter.close(), bb.close()])
})

test('a txid that cannot be one is our own mistake', async () => {
  const psp = await startTestPsp()
  const { api } = openPixApi(psp)
  expect(() => api.charges.get('short')).toThrow(RangeError)
  expect(() => api.receivedPix.get('../../cob')).toThrow(RangeError)
  await Promise.all([api.close(), psp.close()])
})
