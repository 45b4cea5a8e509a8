import type { ReserveHold } from '../../src/areas/reserves/reserve-holds.repository.ts'
import { centavos, ZERO } from '../../src/domain/money.ts'
import { reserveReleaseAt } from '../../src/domain/reserve.ts'
import { paymentReceived, reserveHeld } from '../../src/domain/transfers.ts'
import type { TestApp } from './app.ts'
import { registerSeller, type Seller } from './factories.ts'
import { insertPayment } from './payment-rows.ts'

/** A seller with `count` payments of 100 reais, of each of which 9.90 are held back for `days`. */
export const sellerWithHolds = async (
  app: TestApp,
  days: number,
  count = 1,
): Promise<{ seller: Seller; holds: ReserveHold[] }> => {
  const { newId } = app.services
  const seller = await registerSeller(app)
  const now = app.clock.now()
  const paymentId = await insertPayment({ sql: app.sql, newId }, seller.id)
  const holds = Array.from(
    { length: count },
    (): ReserveHold => ({
      sellerId: seller.id,
      id: newId(),
      paymentId,
      method: 'pix',
      amount: centavos(990),
      releasedAmount: ZERO,
      consumedAmount: ZERO,
      status: 'held',
      heldAt: now,
      releaseAt: reserveReleaseAt(now, days),
      createdAt: now,
      updatedAt: now,
    }),
  )
  const transfers = holds.flatMap(({ id, amount }) => [
    paymentReceived({
      sellerId: seller.id,
      paymentId: newId(),
      method: 'pix',
      grossAmount: centavos(10_000),
      feeAmount: centavos(99),
      settlesLater: false,
    }),
    reserveHeld({ sellerId: seller.id, holdId: id, method: 'pix', amount }),
  ])
  await app.services.transact(async (tx) => {
    await tx.reserveHolds.insert(holds)
    await tx.ledger.post(transfers, now)
  })
  return { seller, holds }
}

/** What the balance of a seller says. */
export const availableAndReserved = async (app: TestApp, { token }: Pick<Seller, 'token'>): Promise<number[]> => {
  const { body } = await app.api.get('balance', { token })
  return [body.availableAmount, body.reservedAmount]
}

/** What a seller was told of released holds, in order. */
export const releaseEventsOf = async (app: TestApp, { id }: Pick<Seller, 'id'>) => {
  const { rows } = await app.sql.query(
    `select body from events where seller_id = $1 and type = 'reserve.released' order by id`,
    [id],
  )
  return rows.map(({ body }) => JSON.parse(body).data)
}

/** The reserve configuration of a seller, as administrators find it. */
export const reserveConfigOf = async (app: TestApp, admin: string, { id }: Pick<Seller, 'id'>) =>
  (await app.api.get(`admin/reserve-configs?sellerId=${id}`, { token: admin })).body.data[0]
