import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays, onBusinessDay, saoPauloDate } from '../../../../src/domain/calendar.ts'
import { bps, centavos } from '../../../../src/domain/money.ts'
import type { DueChargeInput } from '../../../../src/providers/pix/api/due-charges.ts'
import { type DueValue, dueValueBody } from '../../../../src/providers/pix/api/due-value.ts'
import type { PixApi } from '../../../../src/providers/pix/api/pix-api.ts'
import { PROFILE_NAMES } from '../../../../src/providers/pix/api/profiles.ts'
import { newTxid } from '../../../support/psp/charges.ts'
import { misfits, okValue, openPixApi } from '../../../support/psp/pix-api.ts'
import { startTestPsp, type TestPsp } from '../../../support/psp/simulator.ts'

const today = (): string => saoPauloDate(new Date())
/** A business day some days from now, so that due dates are not moved. */
const dueDate = (): string => onBusinessDay(addDays(today(), 10))
const daysUntil = (date: string): number => (Date.parse(date) - Date.parse(today())) / 86_400_000

const AMOUNT = { amount: centavos(10_000) }

const input = (key: string, value: Partial<DueValue> = {}): DueChargeInput => ({
  ...{ value: { ...AMOUNT, ...value }, dueDate: dueDate(), payableDaysAfterDue: 30, key },
  payer: {
    ...{ name: 'Maria Souza', document: '52998224725', email: 'maria@example.com' },
    address: { street: 'Rua A, 1', city: 'Recife', state: 'PE', zipCode: '70011750' },
  },
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

  test('a charge is made, changed and removed', async () => {
    const txid = newTxid()
    const made = okValue(await api.dueCharges.put(txid, input(key)))
    expect(made).toMatchObject({
      ...{ txid, status: 'active', amount: 10_000, dueDate: dueDate(), payableDaysAfterDue: 30, key },
      qrCode: expect.stringContaining('cobv'),
    })
    expect(okValue(await api.dueCharges.get(txid))).toEqual(made)
    const change = { value: { amount: centavos(9_000) }, dueDate: dueDate(), payableDaysAfterDue: 5 }
    const changed = { amount: 9_000, payableDaysAfterDue: 5, dueDate: dueDate(), revision: 1 }
    expect(okValue(await api.dueCharges.review(txid, change))).toMatchObject(changed)
    expect(okValue(await api.dueCharges.remove(txid)).status).toBe('removed')
    expect(await api.dueCharges.remove(txid)).toMatchObject({ kind: 'conflict' })
    expect(await api.dueCharges.get(newTxid())).toEqual({ kind: 'missing', problem: 'CobVNaoEncontrada' })
  })

  test('two days late, what was paid is told in its parts', async () => {
    const txid = newTxid()
    const value = {
      fine: { percentage: bps(300) },
      interest: { percentage: bps(100), per: 'day', days: 'calendar' },
      rebate: { amount: centavos(1_000) },
    } as const
    expect((await api.dueCharges.put(txid, input(key, value))).kind).toBe('ok')
    await psp.control.must('POST', '/clock/advance', { days: daysUntil(addDays(dueDate(), 2)) })
    await psp.control.pay({ txid })
    const { status, received, amount } = okValue(await api.dueCharges.get(txid))
    expect({ status, amount }).toEqual({ status: 'paid', amount: 10_000 })
    expect(received[0]).toMatchObject({
      amount: 9_450,
      components: { original: 10_000, fine: 270, interest: 180, rebate: 1_000, discount: null, cash: null },
    })
  })

  test('early, it is paid less the discount', async () => {
    const txid = newTxid()
    const discount = { kind: 'amounts', until: [{ date: today(), amount: centavos(3_000) }] } as const
    expect((await api.dueCharges.put(txid, input(key, { discount }))).kind).toBe('ok')
    await psp.control.pay({ txid })
    const [pix] = okValue(await api.dueCharges.get(txid)).received
    expect(pix).toMatchObject({ amount: 7_000, components: { original: 10_000, discount: 3_000 } })
  })

  test('a refusal says which of our fields it is about', async () => {
    const late = await api.dueCharges.put(newTxid(), { ...input(key), dueDate: addDays(today(), -1) })
    expect(late).toMatchObject({ kind: 'refused', problem: 'CobVOperacaoInvalida', fields: ['dueDate'] })
    const until = [{ date: addDays(dueDate(), 1), amount: centavos(1) }]
    const beyond = await api.dueCharges.put(newTxid(), input(key, { discount: { kind: 'amounts', until } }))
    expect(beyond).toMatchObject({ kind: 'refused', fields: ['discount'] })
  })
})

const percentage = bps(250)
const amount = centavos(150)

// The kinds of the tables in the Central Bank's document, under `CobVValor`.
test.each<[string, Partial<DueValue>, object]>([
  ['fine 1', { fine: { amount } }, { multa: { modalidade: 1, valorPerc: '1.50' } }],
  ['fine 2', { fine: { percentage } }, { multa: { modalidade: 2, valorPerc: '2.50' } }],
  ['rebate 1', { rebate: { amount } }, { abatimento: { modalidade: 1, valorPerc: '1.50' } }],
  ['rebate 2', { rebate: { percentage } }, { abatimento: { modalidade: 2, valorPerc: '2.50' } }],
  [
    'interest 1',
    { interest: { amountPerDay: amount, days: 'calendar' } },
    { juros: { modalidade: 1, valorPerc: '1.50' } },
  ],
  [
    'interest 2',
    { interest: { percentage, per: 'day', days: 'calendar' } },
    { juros: { modalidade: 2, valorPerc: '2.50' } },
  ],
  [
    'interest 3',
    { interest: { percentage, per: 'month', days: 'calendar' } },
    { juros: { modalidade: 3, valorPerc: '2.50' } },
  ],
  [
    'interest 4',
    { interest: { percentage, per: 'year', days: 'calendar' } },
    { juros: { modalidade: 4, valorPerc: '2.50' } },
  ],
  [
    'interest 5',
    { interest: { amountPerDay: amount, days: 'business' } },
    { juros: { modalidade: 5, valorPerc: '1.50' } },
  ],
  [
    'interest 6',
    { interest: { percentage, per: 'day', days: 'business' } },
    { juros: { modalidade: 6, valorPerc: '2.50' } },
  ],
  [
    'interest 7',
    { interest: { percentage, per: 'month', days: 'business' } },
    { juros: { modalidade: 7, valorPerc: '2.50' } },
  ],
  [
    'interest 8',
    { interest: { percentage, per: 'year', days: 'business' } },
    { juros: { modalidade: 8, valorPerc: '2.50' } },
  ],
  [
    'discount 1',
    { discount: { kind: 'amounts', until: [{ date: '2027-01-10', amount }] } },
    { desconto: { modalidade: 1, descontoDataFixa: [{ data: '2027-01-10', valorPerc: '1.50' }] } },
  ],
  [
    'discount 2',
    { discount: { kind: 'percentages', until: [{ date: '2027-01-10', percentage }] } },
    { desconto: { modalidade: 2, descontoDataFixa: [{ data: '2027-01-10', valorPerc: '2.50' }] } },
  ],
  [
    'discount 3',
    { discount: { kind: 'per_day', days: 'calendar', share: { amount } } },
    { desconto: { modalidade: 3, valorPerc: '1.50' } },
  ],
  [
    'discount 4',
    { discount: { kind: 'per_day', days: 'business', share: { amount } } },
    { desconto: { modalidade: 4, valorPerc: '1.50' } },
  ],
  [
    'discount 5',
    { discount: { kind: 'per_day', days: 'calendar', share: { percentage } } },
    { desconto: { modalidade: 5, valorPerc: '2.50' } },
  ],
  [
    'discount 6',
    { discount: { kind: 'per_day', days: 'business', share: { percentage } } },
    { desconto: { modalidade: 6, valorPerc: '2.50' } },
  ],
])('%s has the kind and form of the standard', (_kind, value, expected) => {
  expect(dueValueBody({ ...AMOUNT, ...value })).toEqual({ original: '100.00', ...expected })
})
