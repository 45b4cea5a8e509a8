import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerAccount } from '../../../src/domain/ledger.ts'
import { centavos } from '../../../src/domain/money.ts'
import type { Transfer } from '../../../src/domain/transfer.ts'
import { paymentReceived, withdrawalRequested } from '../../../src/domain/transfers.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, registerSeller, type Seller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const newId = () => app.services.newId()

const post = (transfers: readonly Transfer[], now = app.clock.now()) =>
  app.services.transact((tx) => tx.ledger.post(transfers, now))

const income = (sellerId: string, grossAmount: number, feeAmount = 0) =>
  paymentReceived({
    sellerId,
    paymentId: newId(),
    method: 'pix',
    grossAmount: centavos(grossAmount),
    feeAmount: centavos(feeAmount),
    settlesLater: false,
  })

const withIncome = async (count: number): Promise<Seller> => {
  const seller = await registerSeller(app)
  await post(Array.from({ length: count }, (_, index) => income(seller.id, index + 1)))
  return seller
}

const amountsOf = (body: { data: { amount: number }[] }) => body.data.map(({ amount }) => amount)

test('200: a payment and a withdrawal are one row per bucket that moved, newest first, without the platform’s side', async () => {
  const seller = await registerSeller(app)
  const payment = income(seller.id, 10_000, 99)
  const withdrawal = withdrawalRequested({ sellerId: seller.id, withdrawalId: newId(), amount: centavos(5_000) })
  await post([payment, withdrawal])
  const { status, body, headers } = await app.api.get('transactions', { token: seller.token })
  expect(status).toBe(200)
  expect(headers.get('vary')).toContain('accept')
  const row = { id: expect.any(String), sellerId: seller.id, createdAt: expect.any(String) }
  const request = {
    ...row,
    type: 'withdrawal_requested',
    referenceType: 'withdrawal',
    referenceId: withdrawal.referenceId,
    description: 'Withdrawal requested',
    amount: 5_000,
    grossAmount: 5_000,
    feeAmount: 0,
    paymentId: null,
    externalReference: null,
    method: null,
  }
  expect(body).toEqual({
    data: [
      { ...request, bucket: 'withdrawing', direction: 'credit', balanceAfter: 5_000 },
      { ...request, bucket: 'available', direction: 'debit', balanceAfter: 4_901 },
      {
        ...row,
        type: 'payment_received',
        bucket: 'available',
        direction: 'credit',
        amount: 9_901,
        balanceAfter: 9_901,
        referenceType: 'payment',
        referenceId: payment.referenceId,
        description: 'Payment received, less its fee',
        grossAmount: 10_000,
        feeAmount: 99,
        paymentId: null,
        externalReference: null,
        method: 'pix',
      },
    ],
    totalRecords: 3,
    totalPages: 1,
    perPage: 50,
    currentPage: 1,
  })
})

test('200: the rows can be chosen by type, bucket and direction', async () => {
  const seller = await registerSeller(app)
  await post([
    income(seller.id, 100),
    withdrawalRequested({ sellerId: seller.id, withdrawalId: newId(), amount: centavos(30) }),
  ])
  const choose = async (query: string) =>
    amountsOf((await app.api.get(`transactions?${query}`, { token: seller.token })).body)
  expect(await choose('type=payment_received')).toEqual([100])
  expect(await choose('type=payment_received&type=withdrawal_requested')).toEqual([30, 30, 100])
  expect(await choose('bucket=available')).toEqual([30, 100])
  expect(await choose('bucket=available&direction=debit')).toEqual([30])
  expect(await choose('direction=credit')).toEqual([30, 100])
  expect(await choose('type=dispute_lost')).toEqual([])
})

test('200: a period takes what was posted from its start on and before its end', async () => {
  const seller = await registerSeller(app)
  for (const [day, amount] of [
    ['01T02:59:59.999', 1],
    ['01T03:00:00.000', 2],
    ['02T03:00:00.000', 3],
  ] as const) {
    // Ids never go back in time, so these days are to come.
    app.clock.setOffsetMs(Date.parse(`2027-05-${day}Z`) - Date.now())
    await post([income(seller.id, amount)], new Date(`2027-05-${day}Z`))
  }
  app.clock.setOffsetMs(0)
  const choose = async (query: string) =>
    amountsOf((await app.api.get(`transactions?${query}`, { token: seller.token })).body)
  expect(await choose('from=2027-05-01&to=2027-05-02')).toEqual([2])
  expect(await choose('from=2027-05-01')).toEqual([3, 2])
  expect(await choose('to=2027-05-01T03:00:00.000Z')).toEqual([1])
})

test('200: cursors walk the whole statement forwards and back without a row twice or missing', async () => {
  const seller = await withIncome(7)
  const walk = async (path: string, rel: string): Promise<{ seen: number[]; last: string }> => {
    const seen: number[] = []
    let last = path
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers }: Awaited<ReturnType<typeof app.api.get>> = await app.api.get(next, {
        token: seller.token,
      })
      seen.push(...(rel === 'prev' ? amountsOf(body).toReversed() : amountsOf(body)))
      last = next
      next = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]
    }
    return { seen, last }
  }
  const forwards = await walk('/api/v1/transactions?perPage=3', 'next')
  expect(forwards.seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  expect((await walk(forwards.last, 'prev')).seen).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('200: a seller sees their own rows only, an administrator those of all or of one', async () => {
  const [one, other] = [await withIncome(2), await withIncome(3)]
  expect((await app.api.get('transactions', { token: one.token })).body.totalRecords).toBe(2)
  const all = await app.api.get('admin/transactions?perPage=2', { token: admin })
  expect(all.status).toBe(200)
  expect(amountsOf(all.body)).toEqual([3, 2])
  expect(all.body.data[0].sellerId).toBe(other.id)
  const ofOne = await app.api.get(`admin/transactions?sellerId=${one.id}`, { token: admin })
  expect(amountsOf(ofOne.body)).toEqual([2, 1])
})

test('200: one row by its id', async () => {
  const seller = await withIncome(1)
  const [row] = (await app.api.get('transactions', { token: seller.token })).body.data
  const { status, body } = await app.api.get(`transactions/${row.id}`, { token: seller.token })
  expect(status).toBe(200)
  expect(body).toEqual(row)
})

test('404: another seller’s row, a row of the platform’s and a missing one look alike', async () => {
  const [seller, stranger] = [await withIncome(1), await registerSeller(app)]
  const idOf = async (account: LedgerAccount) => {
    const { rows } = await app.sql.query('select id from ledger_postings where seller_id = $1 and account = $2', [
      seller.id,
      account,
    ])
    return rows[0].id
  }
  const answers = [
    await app.api.get(`transactions/${await idOf('available')}`, { token: stranger.token }),
    await app.api.get(`transactions/${await idOf('clearing')}`, { token: seller.token }),
    await app.api.get(`transactions/${newId()}`, { token: seller.token }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(404)
    expect({ ...body, requestId: '' }).toEqual({ ...answers[2]?.body, requestId: '' })
    expect(body.code).toBe('transaction.not_found')
  }
})

test('400: every bad filter is named at once', async () => {
  const seller = await registerSeller(app)
  const path = 'transactions?type=theft&bucket=clearing&direction=up&perPage=0&from=yesterday'
  const { status, body } = await app.api.get(path, { token: seller.token })
  expect(status).toBe(400)
  const paths = body.errors.map((fault: { path: string }) => fault.path.split('.')[0])
  expect(new Set(paths)).toEqual(new Set(['type', 'bucket', 'direction', 'perPage', 'from']))
})

test('400: a broken cursor, and an id that is none', async () => {
  const seller = await registerSeller(app)
  expect((await app.api.get('transactions?cursor=nonsense', { token: seller.token })).status).toBe(400)
  expect((await app.api.get('transactions/nonsense', { token: seller.token })).status).toBe(400)
})

test('401 and 403: nobody reads a statement without a token, or one that is not theirs to read', async () => {
  const seller = await registerSeller(app)
  expect((await app.api.get('transactions')).status).toBe(401)
  expect((await app.api.get('admin/transactions')).status).toBe(401)
  expect((await app.api.get('transactions', { token: admin })).status).toBe(403)
  expect((await app.api.get('admin/transactions', { token: seller.token })).status).toBe(403)
})

test('200: a bucket that was forced below zero says so', async () => {
  const seller = await registerSeller(app)
  await post([movement(seller.id, newId(), 'reserved', 'available', 5, true)])
  const { body } = await app.api.get('transactions', { token: seller.token })
  expect(body.data.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter)).toEqual([5, -5])
})

test('200: the times of a statement never go back, whatever the clock of a process says', async () => {
  const seller = await registerSeller(app)
  const hoursAgo = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000)
  await post([income(seller.id, 100)])
  await post([income(seller.id, 200)], hoursAgo(3))
  const { body } = await app.api.get('transactions', { token: seller.token })
  expect(amountsOf(body)).toEqual([200, 100])
  const [later, earlier] = body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
  expect(later >= earlier).toBe(true)
  const before = await app.api.get(`transactions?to=${hoursAgo(1).toISOString()}`, { token: seller.token })
  expect(before.body).toMatchObject({ totalRecords: 0, data: [] })
})
