import type { Hold } from './book.ts'
import { ok, refused } from './book.ts'
import { expectOpenHolds, expectReleases, expectReleaseTold, holdView, releaseView } from './reserve-views.ts'
import { askForRelease, holdsOf, release } from './reserves.ts'
import { expectReply, note, type Shop, sendNamed } from './shop.ts'

const RECENT = 12

const REFUSALS: Readonly<Record<string, string>> = {
  frozen: 'reserve_hold.frozen',
  released: 'reserve_hold.not_held',
  consumed: 'reserve_hold.not_held',
}

const pickHold = ({ seller, random }: Shop): Hold | undefined => {
  const seen = holdsOf(seller).filter(({ id }) => id !== '')
  const status = random.pick(['held', 'held', 'held', 'frozen', 'released'])
  const fitting = seen.filter((hold) => hold.status === status)
  const among = fitting.length > 0 ? fitting : seen.slice(-RECENT)
  return among[random.between(0, among.length - 1)]
}

/** An administrator gives one hold back before its day. Sellers cannot, and nobody what is not there any more. */
export const releaseEarly = async (shop: Shop): Promise<void> => {
  const { random, client, admin, account, seller, world, platform } = shop
  await expectOpenHolds(shop)
  const hold = pickHold(shop)
  if (hold === undefined) return
  const { id, status } = hold
  const who = random.pick(['admin', 'admin', 'admin', 'admin', 'admin', 'admin', 'seller', 'nobody'])
  note(shop, `${who} ${id} ${status}`)
  if (who !== 'admin') {
    const [as, target] = who === 'seller' ? [account, id] : [admin, crypto.randomUUID()]
    const reply = await client.post(`admin/reserve-holds/${target}/release`, { as })
    const refusal = who === 'seller' ? refused(403, 'auth.forbidden') : refused(404, 'reserve_hold.not_found')
    return expectReply('release', reply, refusal)
  }
  const reply = await client.post(`admin/reserve-holds/${id}/release`, { as: admin })
  if (status !== 'held') return expectReply('release', reply, refused(409, REFUSALS[status] ?? ''))
  release(seller, hold, 'early', world.nowMs)
  // Cut off after it was done: the repeat finds it released.
  if (!(reply.wasCut && reply.status === 409)) {
    expectReply('release', reply, ok(200, holdView(hold, platform.isExact)))
  }
  await expectReleaseTold(shop, hold)
}

/** An administrator gives back all that a seller has in reserve, and maybe holds nothing back any more. */
export const releaseEverything = async (shop: Shop): Promise<void> => {
  const { random, admin, seller, world, reserveConfigId } = shop
  const deactivate = random.chance(0.4)
  note(shop, deactivate ? 'and deactivates' : '')
  await sendNamed(shop, {
    by: admin,
    path: `admin/reserve-configs/${reserveConfigId}/releases`,
    key: `release-${random.between(0, 1e12)}`,
    body: { deactivate },
    mistakenBody: { deactivate: !deactivate },
    act: (id) => {
      if (deactivate) seller.reserve = { ...seller.reserve, isActive: false }
      return ok(202, releaseView(askForRelease(seller, id, world.nowMs)))
    },
  })
  await expectReleases(shop)
}
