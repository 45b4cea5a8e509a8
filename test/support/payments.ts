import type { Answer, TestApp } from './app.ts'
import { approvedSeller, type Seller } from './factories.ts'

/** A seller who may receive payments, on a platform with its default fees. */
export const sellingSeller = async (app: TestApp): Promise<Seller> => {
  await app.services.ensureDefaultFees()
  return approvedSeller(app)
}

export const PAYER = { name: 'Francisco da Silva', document: '529.982.247-25' }

type Options = { key?: string | undefined }

/** Asks for a payment: a Pix of 100.00 unless the fields say otherwise. */
export const postPayment = (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  fields: Record<string, unknown> = {},
  { key }: Options = {},
): Promise<Answer> =>
  app.api.post('payments', {
    token,
    body: { method: 'pix', amount: 10_000, ...fields },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

/** Makes a payment and answers it. */
export const createPayment = async (app: TestApp, seller: Seller, fields: Record<string, unknown> = {}) => {
  const answer = await postPayment(app, seller, fields)
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** Lets the payer pay a payment. */
export const pay = (app: TestApp, { token }: Pick<Seller, 'token'>, id: string, body?: { amount: number }) =>
  app.api.post(`sandbox/payments/${id}/pay`, { token, ...(body ? { body } : {}) })

export const getPayment = async (app: TestApp, { token }: Pick<Seller, 'token'>, id: string) =>
  (await app.api.get(`payments/${id}`, { token })).body

/** The balances of a seller's book by account. */
export const balancesOf = async (app: TestApp, { id }: Pick<Seller, 'id'>): Promise<Record<string, number>> => {
  const { rows } = await app.sql.query('select account, balance_amount from ledger_accounts where seller_id = $1', [id])
  return Object.fromEntries(rows.map((row) => [row.account, Number(row.balance_amount)]))
}

/** The types of a seller's events, in order, and their bodies. */
export const eventsOf = async (app: TestApp, { id }: Pick<Seller, 'id'>, prefix = 'payment.') => {
  const { rows } = await app.sql.query(
    'select type, body from events where seller_id = $1 and type like $2 order by id',
    [id, `${prefix}%`],
  )
  return rows.map(({ type, body }) => ({ type: type as string, data: JSON.parse(body).data }))
}

/** Sets what is held back of a seller's money from now on. Basis points and days. */
export const setReserve = async (app: TestApp, { id }: Pick<Seller, 'id'>, percentageBps: number, days: number) => {
  await app.sql.query(
    'update reserve_configs set percentage_bps = $2, days = $3, is_active = true where seller_id = $1',
    [id, percentageBps, days],
  )
}
