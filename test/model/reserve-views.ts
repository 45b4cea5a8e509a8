import type { Hold, Release } from './book.ts'
import { holdsOf } from './reserves.ts'
import { expectFields, expectReply, Mismatch, type Shop } from './shop.ts'
import { expectRows, readAll, timeOf } from './views.ts'

/** What the API must show of a hold. When it was held only where the platform's clock stands still between steps. */
export const holdView = (hold: Hold, isExact: boolean) => ({
  paymentId: hold.payment.id,
  amount: hold.heldAmount,
  releasedAmount: hold.releasedAmount,
  consumedAmount: hold.heldAmount - hold.releasedAmount - hold.amount,
  remainingAmount: hold.amount,
  status: hold.status,
  releaseAt: timeOf(hold.releaseAtMs),
  ...(isExact ? { heldAt: timeOf(hold.heldAtMs) } : {}),
})

export const releaseView = ({ id, status, releasedCount, releasedAmount }: Release) => ({
  id,
  status,
  releasedCount,
  releasedAmount,
})

type Row = Record<string, unknown>

/** The model learns the ids of holds: those of one payment come in the order in which they were made. */
const learnIds = (holds: readonly Hold[], rows: readonly Row[]): void => {
  const known = new Set(holds.map(({ id }) => id))
  const unknown = rows.filter(({ id }) => !known.has(String(id))).reverse()
  for (const hold of holds.filter(({ id }) => id === '')) {
    const index = unknown.findIndex(({ paymentId }) => paymentId === hold.payment.id)
    const [row] = index < 0 ? [] : unknown.splice(index, 1)
    if (row) hold.id = String(row.id)
  }
}

const expectHolds = async (shop: Shop, holds: readonly Hold[], filter: string): Promise<void> => {
  const { seller, platform, admin } = shop
  const rows = await readAll(shop, `admin/reserve-holds?sellerId=${seller.id}${filter}`, admin)
  learnIds(holds, rows)
  expectRows('reserve holds', rows, holds, (hold) => holdView(hold, platform.isExact))
}

const isOpen = ({ status }: Hold): boolean => status === 'held' || status === 'frozen'

/** Throws Mismatch where anything else is held back than the model says, or another hold is frozen. */
export const expectOpenHolds = (shop: Shop): Promise<void> =>
  expectHolds(shop, holdsOf(shop.seller).filter(isOpen), '&status=held&status=frozen')

/** Throws Mismatch where the releases that administrators asked for are not as far as the model's. */
export const expectReleases = async (shop: Shop): Promise<void> => {
  const { seller, admin, reserveConfigId } = shop
  const rows = await readAll(shop, `admin/reserve-configs/${reserveConfigId}/releases`, admin)
  expectRows('releases of reserves', rows, seller.releases, releaseView)
}

/** What a statement says of one kind of movement of holds: how much came into a bucket, by hold. */
const readMovements = async (shop: Shop, type: string, bucket: string): Promise<Map<string, number>> => {
  const rows = await readAll(shop, `transactions?type=${type}&bucket=${bucket}&direction=credit`)
  return new Map(rows.map(({ referenceId, amount }) => [String(referenceId), Number(amount)]))
}

const expectMovements = (what: string, actual: Map<string, number>, expected: Map<string, number>): void => {
  if (actual.size !== expected.size) throw new Mismatch(`${what}: ${actual.size} rows, the model says ${expected.size}`)
  expectFields(what, Object.fromEntries(actual), Object.fromEntries(expected))
}

const EVENTS_KEPT_MS = 29 * 86_400_000

/** Every release of the last weeks was told, with its reason. */
const expectReleaseEvents = async (shop: Shop, holds: readonly Hold[]): Promise<void> => {
  const { platform, world } = shop
  const rows = (await readAll(shop, 'events?type=reserve.released')).map(({ data }) => data as Row)
  const told = new Map(rows.map((data) => [data.id, data]))
  const oldestMs = world.nowMs - EVENTS_KEPT_MS
  for (const hold of holds) {
    const { id, release } = hold
    if (release === undefined || release.atMs < oldestMs) continue
    const view = { ...holdView(hold, platform.isExact), reason: release.reason }
    expectFields(`reserve.released of ${id}`, told.get(id) ?? {}, view)
  }
}

/** Throws Mismatch where holds, their releases, statement rows or events are not what the model has. */
export const expectReserves = async (shop: Shop): Promise<void> => {
  const holds = holdsOf(shop.seller)
  await expectHolds(shop, holds, '')
  await expectReleases(shop)
  const held = holds.filter(({ isAgain }) => !isAgain).map(({ id, heldAmount }) => [id, heldAmount] as const)
  expectMovements('reserve_held', await readMovements(shop, 'reserve_held', 'reserved'), new Map(held))
  const released = holds.filter(({ release }) => release).map(({ id, releasedAmount }) => [id, releasedAmount] as const)
  expectMovements('reserve_released', await readMovements(shop, 'reserve_released', 'available'), new Map(released))
  await expectReleaseEvents(shop, holds)
}

/** The newest rows of the statement and the newest event tell of this release. */
export const expectReleaseTold = async (shop: Shop, hold: Hold): Promise<void> => {
  const { client, account, seller, platform } = shop
  const statement = await client.get('transactions?type=reserve_released&perPage=2', { as: account })
  expectReply('GET transactions', statement, { status: 200 })
  const rows = new Map((statement.body.data as Row[]).map((row) => [row.bucket, row]))
  const shared = { amount: hold.releasedAmount, referenceType: 'hold', referenceId: hold.id }
  const { available, reserved } = seller.book
  const credit = { ...shared, direction: 'credit', balanceAfter: available }
  const debit = { ...shared, direction: 'debit', balanceAfter: reserved }
  expectFields('statement', rows.get('available') ?? {}, credit)
  expectFields('statement', rows.get('reserved') ?? {}, debit)
  const events = await client.get('events?type=reserve.released&perPage=1', { as: account })
  expectReply('GET events', events, { status: 200 })
  const view = { id: hold.id, ...holdView(hold, platform.isExact), reason: 'early' }
  expectFields('reserve.released', events.body.data[0]?.data ?? {}, view)
}
