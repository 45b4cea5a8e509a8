import type { Dispute, Payment, Refund, Withdrawal } from './book.ts'
import { expectAllLinks } from './link-views.ts'
import { expectReserves } from './reserve-views.ts'
import { expectFields, expectReply, Mismatch, type Shop } from './shop.ts'

export const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** What the API must show of each thing. Moments only where the platform's clock stands still between steps. */
export const paymentView = (payment: Payment, isExact: boolean) => ({
  paymentLinkId: payment.link?.id ?? null,
  method: payment.method,
  amount: payment.amount,
  installments: payment.installments,
  status: payment.status,
  statusReason: payment.statusReason,
  paidAmount: payment.paidAmount,
  refundedAmount: payment.refundedAmount,
  feeAmount: payment.feeAmount,
  netAmount: payment.netAmount,
  reserveAmount: payment.reserveAmount,
  ...(isExact ? { expiresAt: timeOf(payment.expiresAtMs), paidAt: timeOf(payment.paidAtMs) } : {}),
})

export const refundView = ({ payment, amount, status }: Refund) => ({ paymentId: payment.id, amount, status })

export const disputeView = ({ payment, amount, status, blockedAmount, frozenAmount, feeAmount }: Dispute) => ({
  paymentId: payment.id,
  amount,
  status,
  blockedAmount,
  frozenReserveAmount: frozenAmount,
  feeAmount,
})

export const withdrawalView = ({ amount, feeAmount, netAmount, status, statusReason }: Withdrawal) => ({
  amount,
  feeAmount,
  netAmount,
  status,
  statusReason,
})

export const expectPayment = async ({ client, account, platform }: Shop, payment: Payment): Promise<void> => {
  const reply = await client.get(`payments/${payment.id}`, { as: account })
  const view = paymentView(payment, platform.isExact)
  expectReply(`GET payments/${payment.id}`, reply, { status: 200, view })
}

export const expectWithdrawal = async ({ client, account }: Shop, withdrawal: Withdrawal): Promise<void> => {
  const reply = await client.get(`withdrawals/${withdrawal.id}`, { as: account })
  expectReply(`GET withdrawals/${withdrawal.id}`, reply, { status: 200, view: withdrawalView(withdrawal) })
}

const PER_PAGE = 100

type Row = Record<string, unknown>

/** Every row of a list, page by page, as the seller or somebody else sees it. */
export const readAll = async ({ client, account }: Shop, path: string, by = account): Promise<Row[]> => {
  const rows: Row[] = []
  const query = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page += 1) {
    const { status, body, text } = await client.get(`${path}${query}page=${page}&perPage=${PER_PAGE}`, { as: by })
    if (status !== 200) throw new Mismatch(`GET ${path}: answered ${status} ${text.slice(0, 300)}`)
    rows.push(...body.data)
    if (body.data.length < PER_PAGE) return rows
  }
}

/** Throws Mismatch where rows are not the model's things, all of them and nothing else. */
export const expectRows = <Thing extends { id: string }>(
  what: string,
  rows: readonly Row[],
  things: readonly Thing[],
  viewOf: (thing: Thing) => object,
): void => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (byId.size !== things.length) throw new Mismatch(`${what}: ${byId.size} rows, the model says ${things.length}`)
  for (const thing of things) expectFields(`${what} ${thing.id}`, byId.get(thing.id) ?? {}, viewOf(thing))
}

const expectList = async <Thing extends { id: string }>(
  shop: Shop,
  path: string,
  things: readonly Thing[],
  viewOf: (thing: Thing) => object,
): Promise<void> => expectRows(`GET ${path}`, await readAll(shop, path), things, viewOf)

/** The disputes of a payment as the platform lists them; the model learns the ids of new ones. */
export const expectDisputes = async (shop: Shop, payment: Payment): Promise<void> => {
  const disputes = shop.seller.disputes.filter((dispute) => dispute.payment === payment)
  const reply = await shop.client.get(`disputes?paymentId=${payment.id}&perPage=${PER_PAGE}`, { as: shop.account })
  const rows = reply.body.data as Record<string, unknown>[]
  if (rows.length !== disputes.length)
    throw new Mismatch(`disputes of ${payment.id}: ${rows.length}, the model says ${disputes.length}`)
  // Newest first here, oldest first there.
  for (const [index, row] of rows.reverse().entries()) {
    const dispute = disputes[index]
    if (dispute === undefined) continue
    if (dispute.id === '') dispute.id = String(row.id)
    expectFields(`dispute ${dispute.id}`, row, { id: dispute.id, ...disputeView(dispute) })
  }
}

/** The refunds of a payment; the model learns the ids of those that the acquirer began. */
export const expectRefunds = async (shop: Shop, payment: Payment): Promise<void> => {
  const path = `payments/${payment.id}/refunds`
  const refunds = shop.seller.refunds.filter((refund) => refund.payment === payment)
  const unseen = refunds.filter(({ id }) => id === '')
  if (unseen.length > 0) {
    const ids = (await readAll(shop, path)).map(({ id }) => String(id)).filter((id) => !isKnown(refunds, id))
    // Newest first there, oldest first here.
    for (const [index, id] of ids.reverse().entries()) if (unseen[index]) unseen[index].id = id
  }
  await expectList(shop, path, refunds, refundView)
}

const isKnown = (refunds: readonly Refund[], id: string): boolean => refunds.some((refund) => refund.id === id)

/** Throws Mismatch where anything of a seller is not as the model has it. */
export const expectEverything = async (shop: Shop): Promise<void> => {
  const { seller, platform } = shop
  await expectList(shop, 'payments', seller.payments, (payment) => paymentView(payment, platform.isExact))
  await expectList(shop, 'withdrawals', seller.withdrawals, withdrawalView)
  await expectReserves(shop)
  await expectAllLinks(shop)
  for (const payment of new Set(seller.refunds.map((refund) => refund.payment))) await expectRefunds(shop, payment)
  for (const payment of new Set(seller.disputes.map((dispute) => dispute.payment))) await expectDisputes(shop, payment)
}
