import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../src/domain/calendar.ts'
import { createWebhookBody } from '../../src/webhooks/api/seller-webhooks.schemas.ts'
import { type Demo, type DemoSeller, runJobs } from './demo-platform.ts'
import { openShop } from './open-shops.ts'
import { createRandom } from './random.ts'
import { type Deed, sell } from './sell.ts'
import { shareLinks } from './share-links.ts'
import { SHOPS } from './shops.ts'
import { leaveWaiting, withdraw } from './withdraw.ts'

export const DAYS = 90
const SUSPENDED_ON = 60
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Sales are made at these hours of São Paulo, what payers and administrators do comes half an hour later. */
const SALES_HOURS = [10, 14, 19] as const
/** Webhooks go out in real time, however far in the past their events lie: now and then is enough. */
const DELIVERY_DAYS = 3

const addWebhooks = async ({ services, receiver }: Demo, sellers: readonly DemoSeller[]): Promise<void> => {
  const paths = ['/orders', '/orders', '/broken']
  for (const [index, path] of paths.entries()) {
    const actor = sellers[index]?.actor
    const body = createWebhookBody.parse({ url: receiver.url + path, description: 'Sistema de pedidos' })
    if (actor) await services.sellerWebhooks.create(actor, body, undefined)
  }
}

const deliver = async ({ services }: Demo): Promise<void> => {
  while ((await services.webhookEngine.runOnce()) > 0);
}

// Sellers do not wait for each other, and each book is one seller's: they may act at the same time.
const sellAll = async (demo: Demo, sellers: readonly DemoSeller[], day: number, hour: number): Promise<Deed[]> => {
  const deeds = await Promise.all(
    sellers.map(async (seller) => {
      const random = createRandom(`${seller.shop.slug} ${day} ${hour}`)
      const sells = random.chance(seller.shop.salesPerDay / SALES_HOURS.length)
      const sold = sells ? await sell(demo, seller, day, random) : []
      return hour === SALES_HOURS[0] ? [...sold, ...(await shareLinks(demo, seller, day, random))] : sold
    }),
  )
  return deeds.flat()
}

const doDue = async (demo: Demo, pending: Deed[], day: number): Promise<Deed[]> => {
  const due = pending.filter((deed) => deed.day <= day)
  await Promise.all(due.map(({ act }) => act(demo)))
  return pending.filter((deed) => deed.day > day)
}

const suspend = async ({ services, admin }: Demo, sellers: readonly DemoSeller[]): Promise<void> => {
  for (const { companyId, shop } of sellers) {
    if (shop.fate !== 'suspended') continue
    await services.companyReviews.suspend(admin, companyId, 'Muitas reclamações de compradores.')
  }
}

const requestPayouts = async (demo: Demo, sellers: readonly DemoSeller[], day: number): Promise<Deed[]> => {
  const deeds: Deed[] = []
  for (const [index, seller] of sellers.entries()) {
    if (day % 7 !== index % 7) continue
    deeds.push(...(await withdraw(demo, seller, day, Math.floor(day / 7) + index)))
  }
  return deeds
}

type Stage = { sellers: DemoSeller[]; pending: Deed[] }

const liveDay = async (demo: Demo, { sellers, pending }: Stage, day: number, midnight: Date): Promise<Deed[]> => {
  const { clock, services } = demo
  clock.moveTo(midnight)
  await runJobs(Object.values(services.jobs))
  let waiting = pending
  for (const hour of SALES_HOURS) {
    const at = new Date(midnight.getTime() + hour * HOUR_MS)
    clock.moveTo(at)
    const selling = sellers.filter(({ shop }) => shop.fate === 'approved' || day < SUSPENDED_ON)
    waiting.push(...(await sellAll(demo, selling, day, hour)))
    clock.moveTo(new Date(at.getTime() + 20 * MINUTE_MS))
    waiting = await doDue(demo, waiting, day)
  }
  waiting.push(
    ...(await requestPayouts(
      demo,
      sellers.filter(({ shop }) => shop.fate === 'approved'),
      day,
    )),
  )
  if (day === SUSPENDED_ON) await suspend(demo, sellers)
  await runJobs([services.jobs.payWithdrawals])
  if (day % DELIVERY_DAYS === 0) await deliver(demo)
  return waiting
}

/** What is left undone at the end, so that there is something to do: unpaid payments and undecided withdrawals. */
const leaveOpen = async (demo: Demo, sellers: readonly DemoSeller[]): Promise<void> => {
  for (const seller of sellers.filter(({ shop }) => shop.fate === 'approved')) {
    const random = createRandom(`${seller.shop.slug} now`)
    await sell(demo, seller, DAYS, random)
    await leaveWaiting(demo, seller, random)
  }
}

/** Tells the story of a platform's last three months up to `end`, day by day. */
export const liveThroughQuarter = async (demo: Demo, end: Date, onDay: (day: number) => Promise<void>) => {
  const today = saoPauloDate(end)
  const openings = startOfSaoPauloDay(addDays(today, -DAYS)).getTime() + 8 * HOUR_MS
  demo.clock.moveTo(new Date(openings))
  const opened: DemoSeller[] = []
  for (const shop of SHOPS) opened.push(await openShop(demo, shop))
  const sellers = opened.filter(({ shop }) => shop.salesPerDay > 0)
  await addWebhooks(demo, sellers)
  let pending: Deed[] = []
  for (let day = 1; day < DAYS; day += 1) {
    await onDay(day)
    const midnight = startOfSaoPauloDay(addDays(today, day - DAYS))
    pending = await liveDay(demo, { sellers, pending }, day, midnight)
  }
  demo.clock.moveTo(startOfSaoPauloDay(today))
  await runJobs(Object.values(demo.services.jobs))
  demo.clock.moveTo(end)
  await leaveOpen(demo, sellers)
  await runJobs(Object.values(demo.services.jobs))
  await deliver(demo)
}
