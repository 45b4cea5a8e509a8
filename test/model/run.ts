import type { Pool } from 'pg'
import { createRandom, type Random } from '../../scripts/seed/random.ts'
import { DAYS_MAX, dayOf, EPOCH_MS, hourOf } from './calendar.ts'
import { everyone, Failed, moveClock, naming } from './clock.ts'
import { DECK, REPEATABLE_DECK } from './deck.ts'
import { changeForEveryone } from './everyone.ts'
import { newStatements, reconcileDays, type Statements } from './exceptions.ts'
import { startMortalPlatform } from './mortal.ts'
import { openShop, openWorld } from './opening.ts'
import { ENCRYPTION_KEY, type Platform, startPlatform } from './platform.ts'
import { holdsOf } from './reserves.ts'
import { expectBalance, expectBooks, Mismatch, type Shop } from './shop.ts'
import { noteMovements } from './statement.ts'
import { lookAtTreasury } from './treasury.ts'
import { expectEverything } from './views.ts'

export type RunOptions = {
  adminUrl: string
  seed: string
  steps: number
  /** Sellers at work at the same time, or in turns where the platform is killed. */
  sellers?: number
  /** Plays this one alone: sellers share nothing but the clock, so its story stays the same. */
  only?: number | undefined
  /** Plays against a process that is killed again and again. */
  kills?: boolean
  /** Ends by itself before the next round after this moment of `performance.now()`. */
  untilMs?: number | undefined
  onProgress?: (done: number) => void
  /** What is left is looked at before it goes, where the story agreed. */
  onPlayed?: (pool: Pool) => Promise<void>
}

/** What a run came to. `counts` says how often each thing ended how; `failure` is the story of a disagreement. */
export type RunResult = {
  seed: string
  steps: number
  seconds: number
  kills: number
  counts: Record<string, number>
  failure?: string
}

const SELLERS = 16
const MORTAL_SELLERS = 3
const ROUND_STEPS = 20
const TRACE_MAX = 40
/** Every so many steps the balance is also asked for over the API. The books are looked at after each. */
const BALANCE_EVERY = 5

const KILL_CHANCE = 0.12
const KILL_WITHIN_MS = 40
const TAKE_OUT_CHANCE = 0.6
const MORNING = 10
const EVENING = 20

const playStep = async (shop: Shop, number: number): Promise<void> => {
  const { random, platform, world, trace } = shop
  const { mortal } = platform
  const step = random.pick(mortal ? REPEATABLE_DECK : DECK)
  trace.push(`${number} ${step.name}`)
  // What a process that died leaves behind is done an hour later, which must still be the same day.
  if (mortal && random.chance(KILL_CHANCE) && hourOf(world.nowMs) < EVENING) {
    mortal.killSoon(random.between(0, KILL_WITHIN_MS))
  }
  await step(shop)
  await mortal?.quiet()
  noteMovements(shop.seller, world.nowMs)
  await expectBooks(shop)
  if (number % BALANCE_EVERY === 0) await expectBalance(shop)
}

const prove = async (platform: Platform, shops: readonly Shop[]): Promise<void> => {
  for (const shop of shops) {
    await naming(expectEverything)(shop)
    await naming(expectBooks)(shop)
    await naming(expectBalance)(shop)
  }
  const findings = await platform.prove()
  if (findings.length > 0)
    throw new Mismatch(`the books or the totals are not right: ${JSON.stringify(findings.slice(0, 5))}`)
}

const story = ({ seed, steps, sellers, kills }: RunOptions, error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const replay = [
    `--seed ${seed} --steps ${steps}`,
    sellers === undefined ? '' : ` --sellers ${sellers}`,
    kills ? ' --kills' : '',
  ].join('')
  if (!(error instanceof Failed)) return `${message}\nReplay: ${replay}`
  const { shop } = error
  const isOurs = !(error.cause instanceof Mismatch) && error.cause instanceof Error
  return [
    isOurs ? (error.cause as Error).stack : message,
    `What seller ${shop.number} (${shop.seller.id}) did last:\n  ${shop.trace.slice(-TRACE_MAX).join('\n  ')}`,
    `Replay: ${replay}${kills ? '' : `, or this seller alone: --only ${shop.number}`}`,
  ].join('\n')
}

/** How far the clock is moved between two rounds, in hours: mostly little, sometimes over weekends and due dates. */
const pickHours = (time: Random): number =>
  time.pick([1, 2, 5, 12, 24, 24, 24, 48, 24 * time.between(3, 6), 24 * time.between(5, 12)])

const passTime = async (
  { shops, statements }: Played,
  platform: Platform,
  { time, seed }: { time: Random; seed: string },
): Promise<void> => {
  const [first] = shops
  if (first === undefined) return
  await changeForEveryone(shops, time)
  const { nowMs } = first.world
  const isDeadly = platform.mortal !== undefined && time.chance(0.5)
  const untilMorning = 24 + MORNING - hourOf(nowMs)
  const hours = platform.mortal ? untilMorning + (isDeadly ? 0 : 24 * time.between(0, 6)) : pickHours(time)
  const days = dayOf(nowMs) - dayOf(EPOCH_MS) + hours / 24
  if (days < DAYS_MAX) await moveClock(shops, hours, isDeadly)
  await reconcileDays(shops, platform, statements, seed)
  if (!time.chance(TAKE_OUT_CHANCE)) return
  const endings = await lookAtTreasury(shops, createRandom(`${seed}/treasury/${first.world.nowMs}`))
  const { counts } = statements
  for (const ending of endings)
    counts.set(`treasury payout ${ending}`, (counts.get(`treasury payout ${ending}`) ?? 0) + 1)
}

const lastPaymentOf = ({ seller }: Shop): string[] => seller.payments.slice(-1).map(({ id }) => id)

const playRound = async (shops: readonly Shop[], each: number, from: number): Promise<void> => {
  for (const shop of shops) shop.foreignIds = shops.filter((one) => one !== shop).flatMap(lastPaymentOf)
  const numberOf = (shop: Shop, index: number) => from + shop.number * each + index
  const steps = Array.from({ length: each }, (_, index) => index)
  if (shops[0]?.platform.mortal) {
    for (const index of steps)
      for (const shop of shops) await naming((one) => playStep(one, numberOf(one, index)))(shop)
    return
  }
  const playAll = async (shop: Shop) => {
    for (const index of steps) await playStep(shop, numberOf(shop, index))
  }
  await everyone(shops, naming(playAll))
}

const countOf = (shops: readonly Shop[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  const count = (kind: string, things: readonly { status: string }[]) => {
    for (const { status } of things) counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1
  }
  for (const { seller } of shops) {
    count('payment', seller.payments)
    count('link', seller.links)
    count('reserve hold', holdsOf(seller))
    count('refund', seller.refunds)
    count('dispute', seller.disputes)
    count('withdrawal', seller.withdrawals)
  }
  return counts
}

type Played = { done: number; shops: Shop[]; statements: Statements }

const play = async (platform: Platform, options: RunOptions, played: Played): Promise<void> => {
  const { seed, steps, only, untilMs = Number.POSITIVE_INFINITY, onProgress } = options
  const { sellers = platform.mortal ? MORTAL_SELLERS : SELLERS } = options
  const opened = await openWorld(platform, ENCRYPTION_KEY, EPOCH_MS)
  const { shops } = played
  try {
    for (let number = 0; number < sellers; number += 1) {
      if (only !== undefined && only !== number) continue
      shops.push(await openShop(opened, number, createRandom(`${seed}/${number}`)))
    }
    const time = createRandom(`${seed}/time`)
    while (played.done < steps && performance.now() < untilMs) {
      const each = Math.min(ROUND_STEPS, Math.ceil((steps - played.done) / sellers))
      await playRound(shops, each, played.done)
      played.done += each * sellers
      await passTime(played, platform, { time, seed })
      onProgress?.(played.done)
    }
    await prove(platform, shops)
  } finally {
    await opened.client.close()
  }
}

/**
 * Plays random sellers, administrators, payers and an acquirer against a platform over HTTP, and holds every answer and
 * every balance against a model of its own. The same seed is the same story.
 */
export const runModel = async (options: RunOptions): Promise<RunResult> => {
  const begun = performance.now()
  const platform = await (options.kills ? startMortalPlatform : startPlatform)(options.adminUrl)
  const played: Played = { done: 0, shops: [], statements: newStatements(EPOCH_MS) }
  const result = (): RunResult => ({
    seed: options.seed,
    steps: played.done,
    seconds: Math.round((performance.now() - begun) / 100) / 10,
    kills: platform.mortal?.count() ?? 0,
    counts: { ...countOf(played.shops), ...Object.fromEntries(played.statements.counts) },
  })
  try {
    await play(platform, options, played)
    await options.onPlayed?.(platform.pool)
    return result()
  } catch (error) {
    return { ...result(), failure: story(options, error) }
  } finally {
    await platform.close()
  }
}
