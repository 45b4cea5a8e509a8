import { createRandom, type Random } from '../../scripts/seed/random.ts'
import { move, must, ok, referenceOf, refused, type World } from './book.ts'
import { dateOf, dayOf } from './calendar.ts'
import type { Platform } from './platform.ts'
import { expectFields, expectReply, Mismatch, type Shop } from './shop.ts'
import { type Fault, type Found, statementForm, statementOf } from './statement.ts'
import { readAll } from './views.ts'

/** An exception as the model has it. */
type Row = Found & { fault: Fault; corrected: number; status: 'open' | 'resolved'; byPerson: boolean }

/** A day with faults that the model still looks at, and where whoever planted them is. */
type Day = { day: number; shop: Shop; random: Random; faults: Fault[]; rows: Row[] }

/** What a run remembers of its statements. */
export type Statements = { nextDay: number; days: Day[]; counts: Map<string, number> }

export const newStatements = (nowMs: number): Statements => ({ nextDay: dayOf(nowMs), days: [], counts: new Map() })

/** Days that are compared again, whatever becomes of their facts: these, and those of which the platform may hear late. */
const DAYS_KEPT = 4
const HEARD_LATE_DAYS = 8
const FAULTY_DAY = 0.35

const differenceOf = ({ fault, kind, providerAmount, platformAmount }: Row): number =>
  kind === 'fee' || fault.lineKind !== 'charge' ? platformAmount - providerAmount : providerAmount - platformAmount

const remainingOf = (row: Row): number => differenceOf(row) - row.corrected

const judge = (row: Row, found: Found | undefined): void => {
  const facts = found ?? (row.corrected === 0 ? undefined : { ...row, platformAmount: row.providerAmount })
  if (facts === undefined) {
    row.status = 'resolved'
    return
  }
  const isSame = facts.providerAmount === row.providerAmount && facts.platformAmount === row.platformAmount
  if (row.status === 'resolved' && row.byPerson && isSame) return
  if (row.status === 'resolved') row.byPerson = false
  Object.assign(row, { providerAmount: facts.providerAmount, platformAmount: facts.platformAmount, status: 'open' })
}

const compareFault = (fault: Fault, rows: Row[]): Row[] => {
  const found = fault.found()
  for (const row of rows)
    judge(
      row,
      found.find(({ kind }) => kind === row.kind),
    )
  const unheard = found.filter(({ kind }) => !rows.some((row) => row.kind === kind))
  return unheard.map((one) => ({ ...one, fault, corrected: 0, status: 'open', byPerson: false }))
}

/** The day is compared: what is found now, and what of what was found before is found no more. */
const compare = ({ faults, rows }: Day, counts: Map<string, number>): void => {
  for (const fault of faults) {
    const isNew = compareFault(
      fault,
      rows.filter((row) => row.fault === fault),
    )
    rows.push(...isNew)
    for (const { kind } of isNew) counts.set(`exception ${kind}`, (counts.get(`exception ${kind}`) ?? 0) + 1)
  }
}

const keyOf = (day: number, row: Row): string => {
  const { kind, providerAmount, platformAmount, fault } = row
  const facts = [dateOf(day), kind, fault.lineKind, fault.seller?.id ?? null, fault.subjectId()]
  return JSON.stringify([...facts, providerAmount, platformAmount, remainingOf(row)])
}

const keyOfView = (view: Record<string, unknown>, isSubjectKnown: boolean): string => {
  const { date, kind, lineKind, sellerId, subjectId, providerAmount, platformAmount, remainingAmount } = view
  const facts = [date, kind, lineKind, sellerId, isSubjectKnown ? subjectId : null]
  return JSON.stringify([...facts, providerAmount, platformAmount, remainingAmount])
}

/** Throws Mismatch unless exactly these are open. Answers the platform's ids of them. */
const expectOpen = async (first: Shop, days: readonly Day[]): Promise<Map<Row, string>> => {
  const views = await readAll(first, 'admin/reconciliation-exceptions?status=open', first.admin)
  const ids = new Map<Row, string>()
  const left = [...views]
  for (const { day, rows } of days) {
    for (const row of rows.filter(({ status }) => status === 'open')) {
      const isKnown = row.fault.subjectId() !== null
      const key = keyOf(day, row)
      const at = left.findIndex((view) => keyOfView(view, isKnown) === key)
      if (at < 0)
        throw new Mismatch(
          `the exception ${row.fault.what} ${key} is not open; open are ${JSON.stringify(left.slice(0, 5))}`,
        )
      ids.set(row, String(left[at]?.id))
      left.splice(at, 1)
    }
  }
  if (left.length > 0) throw new Mismatch(`exceptions that nobody planted: ${JSON.stringify(left.slice(0, 3))}`)
  return ids
}

const RESOLUTIONS = ['adjust', 'adjust', 'write_off', 'refund_payer', 'explain', 'match'] as const
type Resolution = (typeof RESOLUTIONS)[number]

const refusalOf = (row: Row, resolution: Resolution, isForced: boolean): string | undefined => {
  const { fault, kind } = row
  const amount = remainingOf(row)
  const cameIn = fault.lineKind === 'charge' && kind !== 'fee' && amount > 0
  if (resolution === 'refund_payer') return cameIn ? undefined : 'reconciliation_exception.not_refundable'
  if (resolution !== 'adjust' || kind === 'fee' || amount === 0) return undefined
  if (fault.seller === null) return 'reconciliation_exception.no_seller'
  const falls = amount < 0 && fault.seller.book.available + amount < 0
  return falls && !isForced ? 'reconciliation_exception.balance_insufficient' : undefined
}

const post = ({ own }: World, row: Row, resolution: Resolution): void => {
  const { fault, kind } = row
  const amount = remainingOf(row)
  const account = resolution === 'write_off' ? 'losses' : kind === 'fee' ? 'provider_cost' : 'available'
  if (fault.seller !== null) {
    move(fault.seller, { clearing: -amount, [account]: amount })
    return
  }
  must(account !== 'available', 'nobody has a balance')
  own.clearing -= amount
  own[account as 'losses' | 'provider_cost'] += amount
}

/** What the acquirer makes of a refund by its last centavos: one takes an hour, one is refused. */
const isSlow = (amount: number): boolean => amount % 100 === 91
const isRefused = (amount: number): boolean => amount % 100 === 92

// It is owed until it is back: the job that sends it runs at once here.
const seeItBack = async (shop: Shop, id: string, amount: number): Promise<void> => {
  const { client, admin, platform, world } = shop
  await platform.runJobs?.(['refundPayers'])
  const { body } = await client.get(`admin/reconciliation-exceptions/${id}`, { as: admin })
  const [refund] = body.payerRefunds
  expectFields('the refund of a payer', refund ?? {}, { amount, status: isRefused(amount) ? 'failed' : 'completed' })
  if (isRefused(amount)) return
  const reference = `x${referenceOf(refund.id)}`
  const facts = { thing: { id: refund.id }, amount, feeAmount: null, atMs: world.nowMs }
  world.ownMovements.push({ kind: 'refund', seller: null, reference, ...facts })
}

const resolve = async ({ shop, random }: Day, row: Row, id: string, resolution: Resolution): Promise<void> => {
  const { client, admin, world } = shop
  const allowNegative = random.chance(0.3)
  const body = { resolution, reason: 'It was looked at.', allowNegative }
  const amount = remainingOf(row)
  const refusal = refusalOf(row, resolution, allowNegative)
  const reply = await client.post(`admin/reconciliation-exceptions/${id}/resolve`, { as: admin, body })
  const what = `resolving ${row.fault.what} by ${resolution}`
  if (refusal !== undefined) return expectReply(what, reply, refused(422, refusal))
  expectReply(what, reply, ok(200, { status: 'resolved', resolution }))
  if (resolution === 'adjust' || resolution === 'write_off') post(world, row, resolution)
  if (resolution === 'refund_payer') await seeItBack(shop, id, amount)
  // It is open again, and nothing of it is corrected.
  if (resolution === 'refund_payer' && isRefused(amount)) return
  if (!['explain', 'match'].includes(resolution)) row.corrected += amount
  row.status = 'resolved'
  row.byPerson = true
}

const openOf = ({ rows }: Day): Row[] => rows.filter(({ status }) => status === 'open')

const pickResolution = ({ random }: Day, row: Row): Resolution => {
  const picked = random.pick(RESOLUTIONS)
  return picked === 'refund_payer' && isSlow(remainingOf(row)) ? 'explain' : picked
}

/** Some are resolved in one way or another, or refused, and of a day that is left behind all. */
const resolveSome = async (day: Day, ids: ReadonlyMap<Row, string>, isLast: boolean): Promise<void> => {
  for (const row of openOf(day)) {
    if (day.random.chance(0.6)) await resolve(day, row, ids.get(row) ?? '', pickResolution(day, row))
  }
  if (isLast) for (const row of openOf(day)) await resolve(day, row, ids.get(row) ?? '', 'explain')
}

const OWN_BOOK = 'select account, balance_amount from ledger_accounts where seller_id = $1 and balance_amount <> 0'
const OWN_ID = '00000000-0000-7000-8000-000000000001'

/** Throws Mismatch where an account of the platform's own book is not the model's. */
export const expectOwnBook = async ({ platform, world }: Shop): Promise<void> => {
  const { rows } = await platform.pool.query<{ account: string; balance_amount: string }>(OWN_BOOK, [OWN_ID])
  const nothing = Object.fromEntries(Object.keys(world.own).map((account) => [account, 0]))
  const held = Object.fromEntries(rows.map((row) => [row.account, Number(row.balance_amount)]))
  expectFields('the platform’s own book', { ...nothing, ...held }, world.own)
}

const handIn = async (first: Shop, shops: readonly Shop[], statements: Statements, seed: string): Promise<void> => {
  const { client, admin, world } = first
  const day = statements.nextDay
  statements.nextDay += 1
  const isFaulty = createRandom(`${seed}/faulty/${day}`).chance(FAULTY_DAY)
  const parts = shops.map((shop) => {
    const random = createRandom(`${seed}/${shop.number}/statement/${day}`)
    return { shop, random, ...statementOf(shop.seller, day, random, isFaulty) }
  })
  const own = world.ownMovements.filter(({ atMs }) => dayOf(atMs) === day)
  const form = statementForm(day, [...parts.flatMap(({ lines }) => lines), ...own])
  expectReply(
    `statement of ${dateOf(day)}`,
    await client.post('admin/provider-statements', { as: admin, form }),
    ok(201),
  )
  for (const { shop, random, faults } of parts) {
    for (const { what } of faults) shop.trace.push(`the statement of ${dateOf(day)} has a fault: ${what}`)
    if (faults.length > 0) statements.days.push({ day, shop, random, faults, rows: [] })
  }
}

/** Every day that is over gets its statement, and exactly the faults that were planted are open; some are resolved. */
export const reconcileDays = async (
  shops: readonly Shop[],
  platform: Platform,
  statements: Statements,
  seed: string,
) => {
  const [first] = shops
  if (first === undefined || platform.runJobs === undefined) return
  const { client, admin, world } = first
  while (statements.nextDay < dayOf(world.nowMs)) await handIn(first, shops, statements, seed)
  await platform.runJobs(['reconcileProviders'])
  const dates = [...new Set(statements.days.map(({ day }) => day))]
  for (const day of dates) {
    const body = { provider: 'sandbox', date: dateOf(day) }
    expectReply('reconcile', await client.post('admin/reconciliations', { as: admin, body }), ok(202))
  }
  await platform.runJobs(['reconcileProviders'])
  for (const day of statements.days) compare(day, statements.counts)
  const ids = await expectOpen(first, statements.days)
  const since = dayOf(world.nowMs) - HEARD_LATE_DAYS
  const kept = new Set(dates.sort((one, other) => other - one).filter((day, at) => at < DAYS_KEPT || day >= since))
  for (const day of statements.days) await resolveSome(day, ids, !kept.has(day.day))
  statements.days = statements.days.filter(({ day }) => kept.has(day))
  await expectOwnBook(first)
}
