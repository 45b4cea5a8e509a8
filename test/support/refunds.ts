import { randomUUID } from 'node:crypto'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import type { DisputeState, Notification, RefundState } from '../../src/providers/provider.port.ts'
import type { Answer, TestApp } from './app.ts'
import { callBack } from './callbacks.ts'
import type { Seller } from './factories.ts'
import { createPayment, pay, sellingSeller, setReserve } from './payments.ts'

type Token = Pick<Seller, 'token'>

const PAYER = { name: 'Francisco da Silva', document: '529.982.247-25' }

/** A seller with a reserve of 10 % for 30 days, and nothing else. */
export const reservingSeller = async (app: TestApp): Promise<Seller> => {
  const seller = await sellingSeller(app)
  await setReserve(app, seller, 1_000, 30)
  return seller
}

/** A paid Pix of 100.00 unless the fields say otherwise. */
export const paidPix = async (app: TestApp, seller: Seller, fields: Record<string, unknown> = {}) => {
  const payment = await createPayment(app, seller, fields)
  await pay(app, seller, payment.id)
  return payment as { id: string; amount: number }
}

/** A paid card payment of 100.00 in three installments unless the fields say otherwise. */
export const paidCard = (app: TestApp, seller: Seller, fields: Record<string, unknown> = {}) =>
  createPayment(app, seller, {
    method: 'credit_card',
    cardToken: 'tok_0001',
    installments: 3,
    customer: PAYER,
    ...fields,
  }) as Promise<{ id: string }>

/** A paid boleto of 100.00, which has not settled. */
export const paidBoleto = (app: TestApp, seller: Seller) => paidPix(app, seller, { method: 'boleto', customer: PAYER })

/** Asks for a refund, under a key of its own unless one is given. */
export const postRefund = (
  app: TestApp,
  { token }: Token,
  paymentId: string,
  body: Record<string, unknown> | undefined = {},
  key: string = randomUUID(),
): Promise<Answer> =>
  app.api.post(`payments/${paymentId}/refunds`, { token, body, headers: { 'idempotency-key': key } })

/** A refund that was accepted. Nobody has told the provider yet. */
export const refunded = async (app: TestApp, seller: Token, paymentId: string, amount?: number) => {
  const answer = await postRefund(app, seller, paymentId, amount === undefined ? {} : { amount })
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body as { id: string; amount: number; status: string }
}

export const refundsOf = async (app: TestApp, { token }: Token, paymentId: string) =>
  (await app.api.get(`payments/${paymentId}/refunds`, { token })).body.data

/** Says through the handler of callbacks what became of a refund. */
export const hearRefund = (app: TestApp, { id: sellerId }: Pick<Seller, 'id'>, id: string, states: RefundState[]) =>
  app.services.transact((tx) =>
    app.services.refunds.handleNotifications(
      tx,
      states.map((state) => ({
        provider: 'sandbox',
        sellerId,
        resourceId: id,
        resourceKind: 'refund' as const,
        notification: { kind: 'refund' as const, reference: id, state },
      })),
      app.clock.now(),
    ),
  )

/** The acquirer opens a dispute through the sandbox, and the dispute as its seller sees it. */
export const disputed = async (app: TestApp, seller: Token, paymentId: string, body: object = { type: 'med' }) => {
  const { token } = seller
  const answer = await app.api.post(`sandbox/payments/${paymentId}/dispute`, { token, body })
  if (answer.status !== 202) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return (await app.api.get(`disputes?paymentId=${paymentId}`, { token })).body.data[0]
}

export const resolve = (app: TestApp, { token }: Token, id: string, outcome: 'won' | 'lost') =>
  app.api.post(`sandbox/disputes/${id}/resolve`, { token, body: { outcome } })

export const disputeNotification = (reference: string, state: DisputeState): Notification => ({
  kind: 'dispute',
  reference,
  state,
})

/** The acquirer says something about a dispute, as a callback over HTTP. */
export const tellDispute = (app: TestApp, reference: string, state: DisputeState) =>
  callBack(app, [disputeNotification(reference, state)])

/** Lets everything that is due now happen. */
export const runJobs = async (app: TestApp, names: readonly (keyof TestApp['services']['jobs'])[]): Promise<void> => {
  for (const name of names) while ((await app.services.jobs[name].runOnce()) > 0);
}

/** What a seller's five buckets and the platform's side hold, without what is zero. */
export const bookOf = async (app: TestApp, { id }: Pick<Seller, 'id'>): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await app.services.read.ledger.findBalances(id)).filter(([, balance]) => balance !== 0),
  )

/** What is wrong with the books: nothing, in every test. */
export const findings = (app: TestApp) => proveLedger(createDatabase(app.sql))

export const permutations = <Value>(values: readonly Value[]): Value[][] =>
  values.length === 0
    ? [[]]
    : values.flatMap((value, at) => permutations(values.toSpliced(at, 1)).map((rest) => [value, ...rest]))
