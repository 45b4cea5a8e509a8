import { randomUUID } from 'node:crypto'
import { createDatabase } from '../../src/db/client.ts'
import { centavos } from '../../src/domain/money.ts'
import { paymentReceived } from '../../src/domain/transfers.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import type { Answer, TestApp } from './app.ts'
import { adminToken, approvedSeller, type Seller } from './factories.ts'

/** Puts money into a seller's available balance the way a settled payment without a fee does. */
export const earn = async (app: TestApp, sellerId: string, amount: number): Promise<void> => {
  const received = paymentReceived({
    sellerId,
    paymentId: randomUUID(),
    method: 'pix',
    grossAmount: centavos(amount),
    feeAmount: centavos(0),
    settlesLater: false,
  })
  const [outcome] = await app.services.transact((tx) => tx.ledger.post([received], new Date()))
  if (!outcome?.posted) throw new Error('the money was not booked')
}

/** An approved seller with this much available, in centavos. */
export const sellerWith = async (app: TestApp, amount: number): Promise<Seller> => {
  const seller = await approvedSeller(app)
  if (amount > 0) await earn(app, seller.id, amount)
  return seller
}

/** Sets a seller's withdrawal configuration over the API. */
export const configure = async (
  app: TestApp,
  sellerId: string,
  terms: Record<string, number | boolean>,
): Promise<void> => {
  const token = await adminToken(app)
  const found = await app.api.get(`admin/withdrawal-configs?sellerId=${sellerId}`, { token })
  const [config] = found.body.data
  const { minAmount, maxAmount, dailyLimitAmount, feePercentage, feeFixedAmount, autoApproveMaxAmount, isActive } =
    config
  const kept = { minAmount, maxAmount, dailyLimitAmount, feePercentage, feeFixedAmount, autoApproveMaxAmount, isActive }
  const answer = await app.api.put(`admin/withdrawal-configs/${config.id}`, { token, body: { ...kept, ...terms } })
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
}

export const withdrawalBody = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  amount: 10_000,
  pixKeyType: 'email',
  pixKey: 'financeiro@padaria.com.br',
  ...overrides,
})

/** Asks for a withdrawal over the API, under a key of its own unless the headers name one. */
export const request = (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  app.api.post('withdrawals', {
    token,
    body: withdrawalBody(overrides),
    headers: { 'idempotency-key': randomUUID(), ...headers },
  })

/** As request, but like a client that repeats under the same key while the server is overloaded. */
export const insist = async (
  app: TestApp,
  seller: Pick<Seller, 'token'>,
  overrides: Record<string, unknown>,
): Promise<Answer> => {
  const headers = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await request(app, seller, overrides, headers)
    if (answer.status !== 503) return answer
  }
}

/** A withdrawal that was accepted. */
export const requested = async (app: TestApp, seller: Seller, overrides: Record<string, unknown> = {}) => {
  const answer = await request(app, seller, overrides)
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** What a seller has, in centavos, by bucket, straight from the books. */
export const bucketsOf = async (app: TestApp, sellerId: string): Promise<Record<string, number>> => {
  const { available, withdrawing, clearing, fee_revenue } = await app.services.read.ledger.findBalances(sellerId)
  return { available, withdrawing, clearing, feeRevenue: fee_revenue }
}

/** The types of a seller's events about withdrawals, oldest first. */
export const eventTypes = async (app: TestApp, sellerId: string): Promise<string[]> => {
  const { rows } = await app.sql.query<{ type: string }>(
    "select type from events where seller_id = $1 and type like 'withdrawal.%' order by id",
    [sellerId],
  )
  return rows.map(({ type }) => type)
}

/** What is wrong with the books: nothing, in every test. */
export const findings = (app: TestApp) => proveLedger(createDatabase(app.sql))
