import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, createCompany, registerSeller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { bookDispute, completedWithdrawal, paidPayment } from '../../support/reports.ts'
import { request } from '../../support/withdrawals.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const dashboard = (query = '', token: string | undefined = admin) => app.api.get(`admin/dashboard${query}`, { token })

test('200: an empty platform is all zeros, with nothing waiting', async () => {
  const { status, body } = await dashboard()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    payments: { createdCount: 0, paidAmount: 0 },
    revenue: { grossVolumeAmount: 0, netRevenueAmount: 0, takeRatePercentage: 0 },
    sellers: { totalCount: 0, approvedCount: 0, notApprovedCount: 0, deletedCount: 0 },
    companies: { waitingCount: 0, waitingSince: null },
    withdrawals: { waitingCount: 0, waitingAmount: 0, waitingSince: null, completedAmount: 0 },
    disputes: { openCount: 0, respondBy: null, openedCount: 0, lostAmount: 0 },
    provider: { name: 'sandbox', state: 'ok', unmatchedEventsCount: 0, failedEventsCount: 0, stuckSince: null },
    webhooks: { pendingCount: 0, oldestDueSeconds: 0, breakersOpenCount: 0, disabledCount: 0 },
  })
  expect(body.companies.byStatus).toHaveLength(6)
})

test('200: what waits is counted, with the time since when', async () => {
  const seller = await sellingSeller(app)
  const newcomer = await registerSeller(app)
  const gone = await registerSeller(app)
  expect((await app.api.delete(`users/${gone.id}`, { token: gone.token })).status).toBe(204)
  await createCompany(app, newcomer)
  const payment = await paidPayment(app, seller, { amount: 50_000 })
  await bookDispute(app, seller.id, { paymentId: payment.id, amount: 3_000, feeAmount: 0, status: 'open' })
  await completedWithdrawal(app, seller, 2_000)
  await app.sql.query('update withdrawal_configs set auto_approve_max_amount = 0')
  const waiting = await request(app, seller, { amount: 1_500 })
  expect(waiting.body.status).toBe('pending_approval')
  await app.sql.query(
    `insert into provider_events (id, provider, body_hash, body, status, times_received, attempts, received_at)
     select gen_random_uuid(), 'sandbox', n::text, '{}', case when n < 3 then 'unmatched' else 'failed' end, 1, 1,
       '2026-05-01T12:00:00Z'::timestamptz + n * interval '1 day' from generate_series(1, 3) n`,
  )
  const { body } = await dashboard()
  const { rows } = await app.sql.query(
    `select (select submitted_at from companies where status = 'awaiting_approval') as submitted,
       (select respond_by from disputes) as respond`,
  )
  expect(body).toMatchObject({
    payments: { createdCount: 1, paidCount: 1, paidAmount: 50_000, disputedAmount: 3_000, conversionPercentage: 100 },
    revenue: { grossVolumeAmount: 50_000 },
    sellers: { totalCount: 3, approvedCount: 1, notApprovedCount: 1, deletedCount: 1 },
    companies: { waitingCount: 1, waitingSince: rows[0].submitted.toISOString() },
    withdrawals: {
      waitingCount: 1,
      waitingAmount: 1_500,
      waitingSince: waiting.body.requestedAt,
      completedAmount: 2_000,
    },
    disputes: {
      openCount: 1,
      openAmount: 3_000,
      respondBy: rows[0].respond.toISOString(),
      openedCount: 1,
      openedAmount: 3_000,
      lostAmount: 0,
    },
    provider: { unmatchedEventsCount: 2, failedEventsCount: 1, stuckSince: '2026-05-02T12:00:00.000Z' },
  })
  const counts = Object.fromEntries(
    body.companies.byStatus.map((row: { status: string; count: number }) => [row.status, row.count]),
  )
  expect(counts).toMatchObject({ approved: 1, awaiting_approval: 1, draft: 0 })
})

test('200: a provider whose call failed is degraded, and webhooks that wait are counted', async () => {
  app.services.providerHealth.noteFailure()
  expect((await dashboard()).body.provider.state).toBe('degraded')
  const backlog = await app.services.findWebhookBacklog()
  expect((await dashboard()).body.webhooks.breakersOpenCount).toBe(backlog.breakersOpenCount)
})

test('400: a period that cannot be', async () => {
  expect((await dashboard('?from=2026-05-02&to=2026-05-01')).status).toBe(400)
  expect((await dashboard('?from=2020-01-01&to=2022-01-01')).status).toBe(400)
})

test('401 and 403: administrators only', async () => {
  expect((await app.api.get('admin/dashboard')).status).toBe(401)
  expect((await dashboard('', (await registerSeller(app)).token)).status).toBe(403)
})
