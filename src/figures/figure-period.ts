import { addDays, saoPauloDate, startOfSaoPauloDay } from '../domain/calendar.ts'

/** Half open; a missing end is open. */
export type Bounds<Value> = { from?: Value | undefined; to?: Value | undefined }

/** A part of one day that is summed from its rows: added, or taken off a day that is known whole. */
export type DayPart = { from: Date; to: Date; sign: 1 | -1 }

/** A period cut into what is known beforehand, whole months and days, and the rest, which has to be added up. */
export type FigurePeriod = {
  /** From the first day that is counted whole to the last. Undefined: none is. */
  whole: Bounds<string> | undefined
  months: Bounds<string> | undefined
  days: Bounds<string>[]
  /** What the days at the two ends are short of the period, or have more than it: whichever is less. */
  edges: DayPart[]
}

const startOfMonth = (date: string): string => `${date.slice(0, 'YYYY-MM'.length)}-01`

const firstOfMonthFrom = (date: string): string =>
  date === startOfMonth(date) ? date : startOfMonth(addDays(startOfMonth(date), 31))

const nonEmpty = <Value extends string | Date>({ from, to }: Bounds<Value>): boolean =>
  from === undefined || to === undefined || from < to

// The days before the first whole month, the whole months, and the days behind them.
const inMonths = ({ from, to }: Bounds<string>): Pick<FigurePeriod, 'months' | 'days'> => {
  const months = { from: from && firstOfMonthFrom(from), to: to && startOfMonth(to) }
  if (!nonEmpty(months)) return { months: undefined, days: [{ from, to }] }
  const days = [
    ...(from === undefined ? [] : [{ from, to: months.from }]),
    ...(to === undefined ? [] : [{ from: months.to, to }]),
  ]
  return { months, days: days.filter(nonEmpty) }
}

const dayOf = (instant: Date) => {
  const date = saoPauloDate(instant)
  const next = addDays(date, 1)
  return { date, next, start: startOfSaoPauloDay(date), end: startOfSaoPauloDay(next) }
}

type Part = { from: Date; to: Date }

const duration = (...parts: readonly Part[]): number =>
  parts.reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0)

/** How the wanted part of a day is counted: as it is, or as the whole day less the other parts, when those are shorter. */
const shorter = (wanted: Part, ...others: readonly Part[]): DayPart[] =>
  duration(wanted) > duration(...others) ? others.map((part) => ({ ...part, sign: -1 })) : [{ ...wanted, sign: 1 }]

const isWhole = (edges: readonly DayPart[]): boolean => edges.some(({ sign }) => sign === -1)

/** Whole days, and what has to be added to them or taken off. */
type Cut = { days: Bounds<string>; edges: DayPart[] }

const cutWithinDay = (from: Date, to: Date): Cut => {
  const { date, next, start, end } = dayOf(from)
  const edges = shorter({ from, to }, { from: start, to: from }, { from: to, to: end })
  return { days: { from: date, to: isWhole(edges) ? next : date }, edges }
}

const cutStart = (from: Date): Cut => {
  const { date, next, start, end } = dayOf(from)
  const edges = shorter({ from, to: end }, { from: start, to: from })
  return { days: { from: isWhole(edges) ? date : next }, edges }
}

const cutEnd = (to: Date): Cut => {
  const { date, next, start, end } = dayOf(to)
  const edges = shorter({ from: start, to }, { from: to, to: end })
  return { days: { to: isWhole(edges) ? next : date }, edges }
}

const cutEnds = ({ from, to }: Bounds<Date>): Cut => {
  if (from && to && saoPauloDate(from) === saoPauloDate(to)) return cutWithinDay(from, to)
  const cuts = [...(from ? [cutStart(from)] : []), ...(to ? [cutEnd(to)] : [])]
  return { days: Object.assign({}, ...cuts.map(({ days }) => days)), edges: cuts.flatMap(({ edges }) => edges) }
}

const EMPTY: FigurePeriod = { whole: undefined, months: undefined, days: [], edges: [] }

/** Cuts a period of instants. Without `months` it is cut into days only, for what is shown by day. */
export const cutPeriod = (period: Bounds<Date>, { months = true }: { months?: boolean } = {}): FigurePeriod => {
  if (!nonEmpty(period)) return EMPTY
  const { days: whole, edges: parts } = cutEnds(period)
  const edges = parts.filter(nonEmpty)
  if (!nonEmpty(whole)) return { ...EMPTY, edges }
  return { whole, ...(months ? inMonths(whole) : { months: undefined, days: [whole] }), edges }
}
