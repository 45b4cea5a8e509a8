import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, onBusinessDay, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import {
  balancesOf,
  createPayment,
  eventsOf,
  getPayment,
  PAYER,
  pay,
  postPayment,
  sellingSeller,
} from '../../support/payments.ts'
import { findings } from '../../support/refunds.ts'

let app: TestApp
let seller: Seller
let dueDate: string

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  seller = await sellingSeller(app)
  dueDate = onBusinessDay(addDays(saoPauloDate(app.clock.now()), 10))
})
afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const TERMS = { fine: { percentage: 2 }, interest: { monthlyPercentage: 1 }, payableDaysAfterDue: 30 }

const due = (fields: Record<string, unknown> = {}) => ({ dueDate, customer: PAYER, ...fields })

const untilDay = (date: string): void =>
  app.clock.setOffsetMs(startOfSaoPauloDay(date).getTime() + 12 * 3_600_000 - Date.now())

test.each(['pix', 'boleto'])(
  '201: a %s with a due date says its terms, and until when it can be paid',
  async (method) => {
    const discounts = [{ until: addDays(dueDate, -5), percentage: 5.5 }]
    const payment = await createPayment(app, seller, due({ method, ...TERMS, discounts }))
    expect(payment).toMatchObject({
      ...{ status: 'pending', amount: 10_000, amountsReceived: null },
      dueTerms: {
        ...{ dueDate, ...TERMS },
        discounts: [{ until: addDays(dueDate, -5), percentage: 5.5, amount: null }],
      },
    })
    const lastDay = onBusinessDay(addDays(dueDate, 30))
    expect(payment.expiresAt).toBe(startOfSaoPauloDay(addDays(lastDay, 1)).toISOString())
    if (method === 'pix') expect(payment.pix.qrCode).toContain('/cobv/')
    else expect(payment.boleto.dueDate).toBe(dueDate)
  },
)

test('a Pix that is due without terms ends with its day; one that costs more later can be paid for thirty days', async () => {
  const plain = await createPayment(app, seller, due())
  expect(plain.dueTerms).toMatchObject({ payableDaysAfterDue: 0, fine: null, interest: null, discounts: [] })
  const costly = await createPayment(app, seller, due({ fine: { percentage: 2 } }))
  expect(costly.dueTerms.payableDaysAfterDue).toBe(30)
})

test.each(['pix', 'boleto'])(
  'a %s that is paid late is paid, with fine and interest, and its fee is of all of it',
  async (method) => {
    const payment = await createPayment(app, seller, due({ method, ...TERMS }))
    untilDay(addDays(dueDate, 15))
    await pay(app, seller, payment.id)
    const paid = await getPayment(app, seller, payment.id)
    expect(paid).toMatchObject({
      ...{ status: 'paid', paidAmount: 10_250 },
      amountsReceived: { principal: 10_000, fine: 200, interest: 50, discount: 0 },
    })
    expect(paid.netAmount + paid.feeAmount).toBe(10_250)
    expect((await balancesOf(app, seller)).clearing).toBe(-10_250)
    const events = await eventsOf(app, seller, 'payment.paid')
    expect(JSON.stringify(events)).toContain('"interest":50')
  },
)

test('one that is paid early is paid with its discount', async () => {
  const discounts = [{ until: dueDate, amount: 700 }]
  const payment = await createPayment(app, seller, due({ discounts }))
  await pay(app, seller, payment.id)
  expect(await getPayment(app, seller, payment.id)).toMatchObject({
    ...{ status: 'paid', paidAmount: 9_300, refundedAmount: 0 },
    amountsReceived: { principal: 10_000, fine: 0, interest: 0, discount: 700 },
  })
})

test('late with the amount of the due date is too little; more than is due is paid, as principal', async () => {
  const [short, long] = [await createPayment(app, seller, due(TERMS)), await createPayment(app, seller, due(TERMS))]
  untilDay(addDays(dueDate, 15))
  await pay(app, seller, short.id, { amount: 10_249 })
  expect(await getPayment(app, seller, short.id)).toMatchObject({ status: 'pending', statusReason: 'underpaid' })
  await pay(app, seller, long.id, { amount: 10_300 })
  expect(await getPayment(app, seller, long.id)).toMatchObject({
    status: 'paid',
    amountsReceived: { principal: 10_050, fine: 200, interest: 50, discount: 0 },
  })
})

test('it expires after its last day, and not before', async () => {
  const payment = await createPayment(app, seller, due({ ...TERMS, payableDaysAfterDue: 1 }))
  const lastDay = onBusinessDay(addDays(dueDate, 1))
  untilDay(lastDay)
  await app.services.jobs.expirePayments.runOnce()
  expect((await getPayment(app, seller, payment.id)).status).toBe('pending')
  untilDay(addDays(lastDay, 1))
  await app.services.jobs.expirePayments.runOnce()
  expect((await getPayment(app, seller, payment.id)).status).toBe('expired')
})

const faultsOf = async (fields: Record<string, unknown>) => {
  const { status, body } = await postPayment(app, seller, fields)
  return [status, ...(body.errors ?? []).map(({ path }: { path: string }) => path)]
}

test('400: each bad combination is named', async () => {
  const discount = (fields: object) => ({ discounts: [{ until: dueDate, ...fields }] })
  expect(await faultsOf({ ...TERMS })).toEqual([400, 'payableDaysAfterDue', 'fine', 'interest'])
  expect(await faultsOf(due({ expiresInSeconds: 600 }))).toEqual([400, 'expiresInSeconds'])
  expect(await faultsOf({ dueDate })).toEqual([400, 'customer'])
  expect(await faultsOf({ dueDate, customer: { name: 'Ana' } })).toEqual([400, 'customer.document'])
  expect(await faultsOf(due({ method: 'credit_card', cardToken: 'tok_0001' }))).toEqual([400, 'dueDate'])
  expect(await faultsOf(due(discount({})))).toEqual([400, 'discounts.0'])
  expect(await faultsOf(due(discount({ amount: 1, percentage: 1 })))).toEqual([400, 'discounts.0'])
  expect(await faultsOf(due(discount({ amount: 10_000 })))).toEqual([400, 'discounts.0.amount'])
  expect(await faultsOf(due(discount({ percentage: 100 })))).toEqual([400, 'discounts.0.percentage'])
  const until = addDays(dueDate, 1)
  expect(await faultsOf(due({ discounts: [{ until, amount: 1 }] }))).toEqual([400, 'discounts.0.until'])
  const [first, second] = [
    { until: dueDate, amount: 1 },
    { until: addDays(dueDate, -1), percentage: 1 },
  ]
  expect(await faultsOf(due({ discounts: [first, second] }))).toEqual([400, 'discounts.1'])
  expect(await faultsOf(due({ discounts: [first, first] }))).toEqual([400, 'discounts.1.until'])
  expect(await faultsOf(due({ fine: { percentage: 0 } }))).toEqual([400, 'fine.percentage'])
  expect(await faultsOf(due({ interest: { monthlyPercentage: 1.005 } }))).toEqual([400, 'interest.monthlyPercentage'])
  expect(await faultsOf(due({ payableDaysAfterDue: 366 }))).toEqual([400, 'payableDaysAfterDue'])
  expect(await faultsOf(due({ dueDate: addDays(saoPauloDate(app.clock.now()), -1) }))).toEqual([400, 'dueDate'])
  expect(await faultsOf(due({ dueDate: addDays(dueDate, 400) }))).toEqual([400, 'dueDate'])
})
