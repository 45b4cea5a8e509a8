import { addDays, startOfSaoPauloDay } from '../../domain/calendar.ts'
import { add } from '../../domain/money.ts'
import { datesOf, monthsOf } from '../../domain/period.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import type { Reads } from '../../repositories.ts'
import type { JournalEntry, JournalPlace, JournalScope, JournalTotal } from './journal.queries.ts'
import type { JournalQuery } from './journal.schemas.ts'
import { entryLine, totalLine } from './journal.view.ts'

type Dependencies = { read: Pick<Reads, 'journal'> }

const BATCH_SIZE = 5_000
const HOUR_MS = 3_600_000
/** How much time is read at once: longer where little happens. */
const SPAN_MIN_MS = 1_000
const SPAN_MAX_MS = 24 * HOUR_MS

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
const later = (one: Date, other: Date): Date => (one < other ? other : one)

const startOf = (at: Date): JournalPlace => ({ createdAt: at, transferId: NIL_UUID, leg: 0 })

type Step = { place: JournalPlace; spanMs: number }

// A full read goes on behind its last row, and looks at less time.
const stepAfter = (rows: readonly JournalEntry[], to: Date, spanMs: number): Step => {
  const last = rows[BATCH_SIZE - 1]
  return last === undefined
    ? { place: startOf(to), spanMs: Math.min(spanMs * 2, SPAN_MAX_MS) }
    : { place: last, spanMs: Math.max(spanMs / 2, SPAN_MIN_MS) }
}

const keyOf = ({ kind, account }: JournalTotal): string => `${kind} ${account}`

const sumOf = (first: JournalTotal, second: JournalTotal): JournalTotal => ({
  ...first,
  postingsCount: first.postingsCount + second.postingsCount,
  debitAmount: add(first.debitAmount, second.debitAmount),
  creditAmount: add(first.creditAmount, second.creditAmount),
})

const summed = (totals: readonly JournalTotal[]): JournalTotal[] =>
  [...Map.groupBy(totals, keyOf)]
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([, group]) => group.reduce(sumOf))

/** The general journal: every posting of every book, as double entry. Streamed, in memory that does not grow with it. */
export const createJournalService = ({ read }: Dependencies) => {
  // Some time at a time, so that each read looks at few rows however many there are, and needs no index but that of time.
  async function* entries(scope: JournalScope) {
    let at: Step = { place: startOf(scope.from), spanMs: HOUR_MS }
    while (at.place.createdAt < scope.to) {
      const from = at.place.createdAt
      const to = earlier(new Date(from.getTime() + at.spanMs), scope.to)
      const rows = await read.journal.listEntries({ ...scope, from, to }, at.place, BATCH_SIZE)
      yield rows.map(entryLine)
      at = stepAfter(rows, to, at.spanMs)
    }
  }

  const totalsOf = (scope: JournalScope, date: string): Promise<JournalTotal[]> => {
    const from = startOfSaoPauloDay(date)
    const to = earlier(startOfSaoPauloDay(addDays(date, 1)), scope.to)
    return read.journal.listTotals({ ...scope, from: later(from, scope.from), to })
  }

  async function* dayLines(scope: JournalScope) {
    for (const date of datesOf(scope)) yield (await totalsOf(scope, date)).map(totalLine)
  }

  async function* monthLines(scope: JournalScope) {
    for (const month of monthsOf(scope)) {
      let totals: JournalTotal[] = []
      for (const date of datesOf(scope).filter((one) => one.startsWith(month))) {
        totals = summed([...totals, ...(await totalsOf(scope, date))])
      }
      yield totals.map((total) => totalLine({ ...total, date: month }))
    }
  }

  return {
    /** Every posting of a period, by time. */
    exportEntries: ({ period, sellerId }: JournalQuery) => entries({ ...period, sellerId }),

    /** What the days or months of a period come to, by kind of transfer and account. */
    exportTotals: ({ period, sellerId, groupBy }: JournalQuery) =>
      (groupBy === 'month' ? monthLines : dayLines)({ ...period, sellerId }),
  }
}

export type JournalService = ReturnType<typeof createJournalService>
