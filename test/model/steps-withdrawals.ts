import type { Answer, Withdrawal, Word } from './book.ts'
import { ok, referenceOf, refused } from './book.ts'
import { callbackText, type Reply } from './client.ts'
import { expectReply, hearWord, Mismatch, note, type Shop, sendNamed } from './shop.ts'
import { expectWithdrawal, withdrawalView } from './views.ts'
import { takeWithdrawal, undo, withdrawalRefusal } from './withdrawals.ts'

const RECENT = 12
const RECEIVER = { pixKeyType: 'email', pixKey: 'financeiro@padaria.com.br' }

const pickWithdrawal = (
  { seller, random }: Shop,
  fits: (withdrawal: Withdrawal) => boolean = () => true,
): Withdrawal | undefined => {
  const among = seller.withdrawals.filter(fits).slice(-RECENT)
  return among[random.between(0, among.length - 1)]
}

const act = ({ seller, world }: Shop, amount: number, id: string): Answer => {
  const refusal = withdrawalRefusal(seller, amount, world.nowMs)
  if (refusal) return refused(...refusal)
  return ok(201, withdrawalView(takeWithdrawal(seller, id, amount, world.nowMs)))
}

const pickAmount = ({ random, seller }: Shop): number => {
  const most = Math.max(1, seller.book.available)
  const amount = random.pick([
    random.between(1, most),
    random.between(1, Math.ceil(most / 4)),
    most + random.between(-1, 1),
    random.between(1, 3_000),
  ])
  if (amount < 200 || random.chance(0.6)) return Math.max(1, amount)
  // So that the net, which the bank sees, ends in what makes it wait or refuse.
  return amount - (amount % 100) - 100 + random.pick([91, 91, 92])
}

export const withdraw = async (shop: Shop): Promise<void> => {
  const amount = pickAmount(shop)
  note(shop, String(amount))
  const key = `withdrawal-${shop.random.between(0, 1e12)}`
  await sendNamed(shop, {
    path: 'withdrawals',
    key,
    body: { amount, ...RECEIVER },
    act: (id) => act(shop, amount, id),
  })
}

/** Equal requests at the same moment: exactly as many are accepted as there is money and limit for. */
export const withdrawAtOnce = async (shop: Shop): Promise<void> => {
  const { random, client, account, seller } = shop
  const amount = Math.max(1, Math.floor(Math.max(0, seller.book.available) / random.between(1, 6)))
  const count = random.between(2, 6)
  note(shop, `${count} of ${amount}`)
  const replies = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.post('withdrawals', {
        as: account,
        key: `burst-${random.between(0, 1e12)}-${index}`,
        body: { amount, ...RECEIVER },
      }),
    ),
  )
  // Whichever came first: in the order of their ids, with the refusals last, it must have been a possible order.
  const accepted = replies.filter(({ status }) => status === 201).sort((a, b) => (a.body.id < b.body.id ? -1 : 1))
  const others = replies.filter(({ status }) => status !== 201)
  for (const reply of [...accepted, ...others]) {
    const expected = act(shop, amount, reply.body?.id ?? '')
    if (reply.status !== expected.status) throw new Mismatch(`${count} at once: ${replies.map(({ text }) => text)}`)
    expectReply('one of several at once', reply, expected)
  }
}

type Decision = { reply: Reply; withdrawal: Withdrawal; isOpen: boolean; change: () => void; refusal: string }

const expectDecision = async (shop: Shop, { reply, withdrawal, isOpen, change, refusal }: Decision): Promise<void> => {
  if (!isOpen) return expectReply('decision', reply, refused(409, refusal))
  change()
  // Cut off after it was done: the repeat finds it decided.
  if (!(reply.wasCut && reply.status === 409)) expectReply('decision', reply, ok(200, withdrawalView(withdrawal)))
  await expectWithdrawal(shop, withdrawal)
}

export const decide = async (shop: Shop): Promise<void> => {
  const { random, client, account, admin, seller } = shop
  const withdrawal = pickWithdrawal(
    shop,
    ({ status }) => random.chance(0.1) || status === 'pending_approval' || status === 'approved',
  )
  if (withdrawal === undefined) return
  const { id } = withdrawal
  const isPending = withdrawal.status === 'pending_approval'
  const isStuck = withdrawal.status === 'approved' && (seller.book.available < 0 || !seller.isApproved)
  const what = random.pick(['approve', 'approve', 'approve', 'reject', 'cancel'])
  note(shop, `${what} ${id}`)
  if (what === 'cancel') {
    const reply = await client.post(`withdrawals/${id}/cancel`, { as: account })
    const change = () => undo(seller, withdrawal, 'canceled', null)
    return expectDecision(shop, { reply, withdrawal, isOpen: isPending, change, refusal: 'withdrawal.not_cancelable' })
  }
  const body = what === 'reject' ? { body: { reason: 'not today' } } : {}
  const reply = await client.post(`admin/withdrawals/${id}/${what}`, { as: admin, ...body })
  const change = () => {
    if (what === 'reject') undo(seller, withdrawal, 'rejected', 'not today')
    else withdrawal.status = 'approved'
  }
  if (what === 'approve' && isPending && seller.book.available < 0) {
    return expectReply('approval', reply, refused(409, 'withdrawal.uncovered'))
  }
  const isOpen = isPending || (what === 'reject' && isStuck)
  await expectDecision(shop, { reply, withdrawal, isOpen, change, refusal: 'withdrawal.not_pending' })
}

/** The bank decides, through the hands of the sandbox. */
export const settlePayout = async (shop: Shop): Promise<void> => {
  const { random, client, account } = shop
  const withdrawal = pickWithdrawal(
    shop,
    ({ status }) => random.chance(0.1) || ['processing', 'completed'].includes(status),
  )
  if (withdrawal === undefined) return
  const outcome = random.pick(['completed', 'failed', 'returned'])
  note(shop, `${withdrawal.id} ${outcome}`)
  const reply = await client.post(`sandbox/withdrawals/${withdrawal.id}/settle`, { as: account, body: { outcome } })
  if (withdrawal.payout === undefined) return expectReply('settle', reply, refused(404, 'withdrawal.not_found'))
  expectReply('settle', reply, ok(202))
  withdrawal.payout = outcome
  const state = { status: outcome, reason: `payout_${outcome}` }
  await hearWord(shop, { kind: 'payout', reference: referenceOf(withdrawal.id), state })
  await expectWithdrawal(shop, withdrawal)
}

/** Callbacks about a payout, in any order, some before it was even sent. */
export const tellPayout = async (shop: Shop): Promise<void> => {
  const { random, client } = shop
  const withdrawal = pickWithdrawal(shop)
  if (withdrawal === undefined) return
  const outcomes = Array.from({ length: random.pick([1, 1, 2, 3]) }, () =>
    random.pick(['completed', 'failed', 'returned', 'processing']),
  )
  note(shop, `${withdrawal.id} ${outcomes.join(',')}`)
  for (const status of outcomes) {
    const state =
      status === 'completed'
        ? { status, endToEndId: null }
        : { status, ...(status === 'processing' ? {} : { reason: 'told_so' }) }
    const word: Word = { kind: 'payout', reference: referenceOf(withdrawal.id), state }
    expectReply('callback', await client.callBack(callbackText([word])), ok(200))
    await hearWord(shop, word)
  }
  await expectWithdrawal(shop, withdrawal)
}
