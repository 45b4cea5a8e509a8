import { expectBalance, expectBooks, expectReply, Mismatch, type Shop } from './shop.ts'
import { advance } from './time.ts'

const HOUR_MS = 3_600_000

/** What went wrong, and at which shop. */
export class Failed extends Error {
  readonly shop: Shop
  constructor(shop: Shop, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.shop = shop
  }
}

/** The same work; what it throws names the shop. */
export const naming =
  (work: (shop: Shop) => Promise<void>) =>
  async (shop: Shop): Promise<void> => {
    try {
      await work(shop)
    } catch (error) {
      throw new Failed(shop, error)
    }
  }

/** Lets every shop do something at the same moment. Throws what the first of them threw. */
export const everyone = async (shops: readonly Shop[], work: (shop: Shop) => Promise<void>): Promise<void> => {
  const results = await Promise.allSettled(shops.map(work))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

const jump = async ({ client, admin }: Shop, hours: number): Promise<void> => {
  const reply = await client.post('sandbox/clock/advance', { as: admin, body: { hours } })
  expectReply('clock', reply, { status: 200 })
}

/** A jump in the middle of which the platform dies: it is gone on with where it stopped, and a little further. */
const jumpThroughDeath = async (shop: Shop, hours: number): Promise<number> => {
  const { client, admin, platform, world } = shop
  const target = world.nowMs + hours * HOUR_MS
  const mortal = platform.mortal
  mortal?.killSoon(shop.random.between(0, 150))
  // Not through the client, which would ask again for the whole jump.
  await client.once('POST', 'sandbox/clock/advance', { as: admin, body: { hours } }).catch(() => undefined)
  await mortal?.quiet()
  const { body } = await client.get('sandbox/clock', { as: admin })
  const left = Math.round((target - Date.parse(body.now)) / HOUR_MS)
  if (left < 0 || left > hours) throw new Mismatch(`the clock stands ${left} hours before where it was to go`)
  if (left > 0) await jump(shop, left)
  await jump(shop, 1)
  return hours + 1
}

/** Moves the clock of the platform and of the model, and compares every book. Answers for how many hours. */
export const moveClock = async (shops: readonly Shop[], hours: number, isDeadly = false): Promise<void> => {
  const [first] = shops
  if (first === undefined) return
  for (const { trace } of shops)
    trace.push(`the clock moves ${hours} hours${isDeadly ? ', and the platform dies' : ''}`)
  if (!isDeadly) await jump(first, hours)
  const moved = isDeadly ? await jumpThroughDeath(first, hours) : hours
  if (moved > hours) {
    advance(first.world, hours)
    advance(first.world, moved - hours)
  } else advance(first.world, hours)
  await everyone(shops, naming(expectBooks))
  await everyone(shops, naming(expectBalance))
}
