import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { addDays, type LocalDate, saoPauloDate, startOfSaoPauloDay } from '../../domain/calendar.ts'
import type { Centavos } from '../../domain/money.ts'
import type { StatementCapability } from '../provider.port.ts'
import type { Page } from './api/forms/paging.ts'
import type { Outcome } from './api/outcome.ts'
import type { PixApi } from './api/pix-api.ts'
import { INFRACTION_DAYS } from './pix.callbacks.ts'
import { feesOfDay, type PixFees } from './pix.fees.ts'
import { StatementUnread } from './pix.outcomes.ts'
import { linesOfReceived, linesOfSent, linesOfSentBack, type StatementPeriod } from './pix.statement.lines.ts'

type Dependencies = {
  api: Pick<PixApi, 'receivedPix' | 'infractions' | 'payouts' | 'reports'>
  /** Real time, by which the PSP's day is over. */
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error'>
}

const DAY_MS = 86_400_000
/** A payout is listed by when it was asked for, and may be done days later. */
const PAYOUT_DAYS = 3
/** Entries come again where parts of a period meet, and where a page moves on: near each other. */
const RECENT_MAX = 10_000

const BACKGROUND = { isBackground: true } as const

const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * DAY_MS)

/** Tells whether an id comes for the first time, as far as it remembers. */
const createRecent = () => {
  const recent = new Set<string>()
  return (id: string): boolean => {
    if (recent.has(id)) return false
    recent.add(id)
    const [oldest] = recent
    if (recent.size > RECENT_MAX && oldest !== undefined) recent.delete(oldest)
    return true
  }
}

/** The days of São Paulo that lie in a period whole and are over. */
const wholeDays = ({ from, to }: StatementPeriod, now: Date): LocalDate[] => {
  const end = new Date(Math.min(to.getTime(), now.getTime()))
  const days: LocalDate[] = []
  for (let date = saoPauloDate(from); startOfSaoPauloDay(addDays(date, 1)) <= end; date = addDays(date, 1)) {
    if (startOfSaoPauloDay(date) >= from) days.push(date)
  }
  return days
}

/**
 * What the PSP's own lists say of a period: money that came in, went back and was sent. Read page by page, at the pace of
 * background work; what it took for each is known where it makes reports. Throws StatementUnread.
 */
export const createPixStatement = ({ api, clock, logger }: Dependencies): StatementCapability => {
  const readable = <Item>(page: Outcome<Page<Item>>): readonly Item[] => {
    if (page.kind !== 'ok') throw new StatementUnread(page)
    for (const { at, endToEndId } of page.value.unreadable) {
      logger.error({ at, endToEndId }, 'an entry of the PSP’s list cannot be read, and is missing in its statement')
    }
    return page.value.items
  }

  /** The entries of a walk, each once. */
  async function* each<Item extends { endToEndId: string }>(
    pages: AsyncIterable<Outcome<Page<Item>>>,
  ): AsyncGenerator<Item> {
    const isNew = createRecent()
    for await (const page of pages) yield* readable(page).filter(({ endToEndId }) => isNew(endToEndId))
  }

  const feesOf = async (period: StatementPeriod): Promise<PixFees> => {
    const fees = new Map<string, Centavos>()
    if (api.reports === undefined) return fees
    for (const date of wholeDays(period, clock.now())) await feesOfDay(api.reports, date, fees)
    return fees
  }

  /** Claims that were decided for the payer, each by the Pix that it is about. */
  const infractionIdsSince = async (from: Date): Promise<Map<string, string>> => {
    const ids = new Map<string, string>()
    if (api.infractions === undefined) return ids
    for await (const page of api.infractions.all({ from, to: clock.now() }, BACKGROUND)) {
      const accepted = readable(page).filter(({ status }) => status === 'accepted')
      for (const { endToEndId, id } of accepted) ids.set(endToEndId, id)
    }
    return ids
  }

  return {
    async *list(period) {
      const fees = await feesOf(period)
      for await (const pix of each(api.receivedPix.all(period, BACKGROUND))) yield* linesOfReceived(pix, period, fees)

      const since = daysBefore(period.from, INFRACTION_DAYS)
      const infractionIds = await infractionIdsSince(since)
      const sentBack = api.receivedPix.all({ from: since, to: period.to, hasRefund: true }, BACKGROUND)
      for await (const pix of each(sentBack)) yield* linesOfSentBack(pix, period, infractionIds)

      if (api.payouts === undefined) return
      const sent = api.payouts.all({ from: daysBefore(period.from, PAYOUT_DAYS), to: period.to }, BACKGROUND)
      for await (const pix of each(sent)) yield* linesOfSent(pix, period, fees)
    },
  }
}
