import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../src/domain/money.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { callBack } from '../support/callbacks.ts'
import { adminToken, type Seller } from '../support/factories.ts'
import { createPayment, PAYER } from '../support/payments.ts'
import {
  bookOf,
  disputed,
  findings,
  paidBoleto,
  paidCard,
  paidPix,
  refunded,
  reservingSeller,
  runJobs,
} from '../support/refunds.ts'
import { configure, requested } from '../support/withdrawals.ts'

const DAYS = 40
const DAY_MS = 86_400_000
// The same noon for both, so that no midnight lies between them.
const NOON_MS = Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS + 15 * 3_600_000

type Platform = { app: TestApp; own: Seller; admin: string }

const platforms: Platform[] = []

const start = async (): Promise<Platform> => {
  const app = await startTestApp()
  app.clock.setOffsetMs(NOON_MS - Date.now())
  const platform = { app, own: await reservingSeller(app), admin: await adminToken(app) }
  platforms.push(platform)
  return platform
}

beforeAll(async () => {
  await start()
  await start()
}, 120_000)

afterAll(async () => {
  for (const { app } of platforms) {
    expect(await findings(app)).toStrictEqual([])
    await app.close()
  }
})

/** Something of everything that time decides on. */
const begin = async ({ app, own, admin }: Platform): Promise<void> => {
  const { token } = own
  await app.api.put('admin/dispute-fees/med', { token: admin, body: { feeAmount: 700 } })
  await configure(app, own.id, { minAmount: 1, autoApproveMaxAmount: 1_000_000, feeFixedAmount: 0 })
  await paidPix(app, own, { amount: 100_000 })
  await paidCard(app, own, { amount: 50_000, installments: 3 })
  await paidBoleto(app, own)
  // Left to expire: after three hours, a day, some days and, as an authorization, five days.
  await createPayment(app, own, { expiresInSeconds: 3 * 3_600 })
  await createPayment(app, own)
  await createPayment(app, own, { method: 'boleto', customer: PAYER })
  await createPayment(app, own, { method: 'credit_card', cardToken: 'tok_0001', capture: false, customer: PAYER })
  // Unanswered claims, an answered one, and money that the provider sends back during a claim.
  await disputed(app, own, (await paidPix(app, own)).id)
  const card = await paidCard(app, own, { amount: 30_000, installments: 2 })
  await disputed(app, own, card.id, { type: 'chargeback', amount: 20_000 })
  const answered = await disputed(app, own, (await paidPix(app, own)).id)
  await app.api.post(`disputes/${answered.id}/defense`, { token, body: { text: 'Entregue.' } })
  const claimed = await paidPix(app, own)
  await disputed(app, own, claimed.id, { type: 'med', amount: 4_000 })
  const charge = claimed.id.replaceAll('-', '')
  await callBack(app, [
    {
      kind: 'refund',
      reference: 'sent-back',
      state: { status: 'completed' },
      begun: { chargeReference: charge, amount: centavos(1_500), reason: null },
    },
  ])
  // A refund that takes the provider an hour, and a payout that never gets an answer.
  await refunded(app, own, (await paidPix(app, own)).id, 2_091)
  await requested(app, own, { amount: 1_091 })
  await runJobs(app, ['sendRefunds', 'sendDefenses', 'payWithdrawals'])
}

const advance = async ({ app, admin }: Platform, days: number) => {
  const { status } = await app.api.post('sandbox/clock/advance', { token: admin, body: { days } })
  expect(status).toBe(200)
}

/** Everything that is kept of it, without ids, and when on the calendar what falls due at midnight was done. */
const stateOf = async ({ app, own }: Platform) => {
  const rowsOf = async (statement: string) => (await app.sql.query(statement, [own.id])).rows
  return {
    book: await bookOf(app, own),
    payments: await rowsOf(
      `select method, amount::int, status, status_reason, paid_amount::int, refunded_amount::int, reserve_amount::int
       from payments where seller_id = $1 order by id`,
    ),
    disputes: await rowsOf(
      `select type, status, resolved_by, blocked_amount::int, frozen_reserve_amount::int, fee_amount::int
       from disputes where seller_id = $1 order by id`,
    ),
    refunds: await rowsOf('select amount::int, status, origin from refunds where seller_id = $1 order by id'),
    withdrawals: await rowsOf('select amount::int, status from withdrawals where seller_id = $1 order by id'),
    settlements: await rowsOf(
      `select settlement.installment, settlement.amount::int, canceled_amount::int, available_on::text, settlement.status,
         (settled_at at time zone 'America/Sao_Paulo')::date::text as settled_on
       from payment_settlements as settlement where seller_id = $1 order by payment_id, installment`,
    ),
    holds: await rowsOf(
      `select amount::int, released_amount::int, consumed_amount::int, status, release_at
       from reserve_holds where seller_id = $1 order by release_at, amount, consumed_amount, status`,
    ),
    transfers: await rowsOf(
      `select transfer.kind, string_agg(account || ' ' || amount, ', ' order by account) as legs
       from ledger_transfers as transfer join ledger_postings as posting
         on posting.seller_id = transfer.seller_id and posting.transfer_id = transfer.id
       where transfer.seller_id = $1 group by transfer.id, transfer.kind order by 1, 2`,
    ),
    midnights: await rowsOf(
      `select kind, (created_at at time zone 'America/Sao_Paulo')::date::text as day, count(*)::int
       from ledger_transfers where seller_id = $1 and kind in ('payment_settled', 'reserve_released')
       group by 1, 2 order by 1, 2`,
    ),
  }
}

test('forty days in one step leave what forty steps of a day do', { timeout: 300_000 }, async () => {
  const [atOnce, daily] = platforms as [Platform, Platform]
  for (const platform of platforms) await begin(platform)
  await advance(atOnce, DAYS)
  for (let day = 0; day < DAYS; day += 1) await advance(daily, 1)
  const state = await stateOf(atOnce)
  expect(state).toEqual(await stateOf(daily))
  // And what had to happen did.
  const statuses = (rows: { status: string }[]) => rows.map(({ status }) => status)
  expect(statuses(state.disputes)).toEqual(['lost', 'lost', 'under_review', 'lost'])
  expect(statuses(state.payments).filter((status) => status === 'expired')).toHaveLength(4)
  expect(state.refunds.map(({ origin, status }) => [origin, status]).sort()).toEqual([
    ['provider', 'completed'],
    ['seller', 'completed'],
  ])
  expect(statuses(state.withdrawals)).toEqual(['processing'])
  expect(state.midnights.length).toBeGreaterThanOrEqual(4)
})
