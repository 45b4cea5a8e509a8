import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { createPayment, getPayment, PAYER, pay, sellingSeller, setReserve } from '../../support/payments.ts'
import { findings, runJobs } from '../../support/refunds.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(async () => {
  expect(await findings(app)).toEqual([])
  await app.close()
})

type Case = {
  method: 'pix' | 'boleto' | 'credit_card'
  installments: number
  amount: number
  percentage: number
  fixedAmount: number
  bounds: [min: number | null, max: number | null]
  settlementDays: number
  reserveBps: number
  /** Milliseconds into the next year, so that weekends, holidays and both sides of midnight are met. */
  at: number
}

const bound = fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: null })

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    method: fc.constantFrom('pix', 'boleto', 'credit_card'),
    installments: fc.integer({ min: 1, max: 12 }),
    amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 301, max: 10_000_000 })),
    percentage: fc.integer({ min: 0, max: 10_000 }).map((bps) => bps / 100),
    fixedAmount: fc.integer({ min: 0, max: 500 }),
    bounds: fc
      .tuple(bound, bound)
      .map(([min, max]): Case['bounds'] => (min !== null && max !== null && min > max ? [max, min] : [min, max])),
    settlementDays: fc.integer({ min: 0, max: 35 }),
    reserveBps: fc.integer({ min: 0, max: 10_000 }),
    at: fc.integer({ min: 0, max: 365 * 86_400_000 }),
  })
  .map((one) => ({ ...one, installments: one.method === 'credit_card' ? one.installments : 1 }) as Case)

const setFee = async (seller: Seller, one: Case): Promise<void> => {
  const { method, installments, percentage, fixedAmount, settlementDays, bounds } = one
  const [minAmount, maxAmount] = bounds
  const body = {
    ...{ sellerId: seller.id, method, percentage, fixedAmount, minAmount, maxAmount, settlementDays },
    ...{ installmentsFrom: installments, installmentsTo: installments },
  }
  const answer = await app.api.post('fees', { token: admin, body })
  if (answer.status !== 201) throw new Error(answer.text)
}

const close = async (seller: Seller): Promise<void> => {
  const { data } = (await app.api.get(`admin/fees?sellerId=${seller.id}&isActive=true`, { token: admin })).body
  for (const { id } of data) await app.api.put(`fees/${id}`, { token: admin, body: { isActive: false } })
}

const simulated = async ({ token }: Seller, { method, amount, installments }: Case) => {
  const answer = await app.api.post('fees/simulate', { token, body: { method, amount, installments } })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const paidNow = async (seller: Seller, { method, amount, installments }: Case): Promise<string> => {
  const card = method === 'credit_card' ? { cardToken: 'tok_0001', installments } : {}
  const { id } = await createPayment(app, seller, { method, amount, customer: PAYER, ...card })
  if (method !== 'credit_card') await pay(app, seller, id)
  return id
}

/** What the payment really cost and brought, once all of it has settled. */
const charged = async (seller: Seller, id: string) => {
  const { rows } = await app.sql.query(
    `select installment, amount, available_on::text as "availableOn" from payment_settlements
     where payment_id = $1 order by installment`,
    [id],
  )
  const settlements = rows.map((row) => ({ ...row, amount: Number(row.amount) }))
  app.clock.setOffsetMs(startOfSaoPauloDay(settlements.at(-1)?.availableOn).getTime() + 3_600_000 - Date.now())
  await runJobs(app, ['settlePayments'])
  const holds = await app.services.read.reserveHolds.listByPayment(seller.id, id)
  const reserveAmount = holds.reduce((total, hold) => total + hold.amount, 0)
  const { feeAmount, netAmount, paidAmount } = await getPayment(app, seller, id)
  return { amount: paidAmount, feeAmount, netAmount, reserveAmount, settlements }
}

test('what is simulated is what is then charged, held back and settled, whatever the terms', async () => {
  const seller = await sellingSeller(app)
  const begin = Date.now()
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      app.clock.setOffsetMs(begin + one.at - Date.now())
      await close(seller)
      await setFee(seller, one)
      await setReserve(app, seller, one.reserveBps, 30)
      const promise = await simulated(seller, one)
      expect(await charged(seller, await paidNow(seller, one))).toEqual(promise)
      expect(saoPauloDate(app.clock.now()) >= promise.settlements.at(-1).availableOn).toBe(true)
    }),
    // What a smaller case would say first costs minutes: each is a payment that lives to its end.
    { numRuns: 25, endOnFailure: true },
  )
}, 60_000)

test('where neither fee nor reserve is the seller’s own, what is simulated is charged as well', async () => {
  const seller = await sellingSeller(app)
  for (const one of [
    { method: 'pix', installments: 1 },
    { method: 'boleto', installments: 1 },
    { method: 'credit_card', installments: 1 },
    { method: 'credit_card', installments: 6 },
    { method: 'credit_card', installments: 12 },
  ] as Case[]) {
    const asked = { ...one, amount: 12_345 }
    const promise = await simulated(seller, asked)
    expect(promise.reserveAmount).toBe(0)
    expect(await charged(seller, await paidNow(seller, asked))).toEqual(promise)
  }
})
