import { addDays, saoPauloDate, startOfSaoPauloDay } from '../domain/calendar.ts'

/** Half open; a missing end is open. */
export type Bounds<Value> = { from?: Value | undefined; to?: Value | undefined }

/** A period cut into what is known beforehand, whole months and days, and the rest, which has to be added up. */
export type FigurePeriod = {
  /** From the first whole day to the last. Undefined: the period holds none. */
  whole: Bounds<string> | undefined
  months: Bounds<string> | undefined
  days: Bounds<string>[]
  /** Parts of days at the two ends, each of one day. */
  edges: { from: Date; to: Date }[]
}

const startOfMonth = (date: string): string => `${date.slice(0, 'YYYY-MM'.length)}-01`

const firstOfMonthFrom = (date: string): string =>
  date === startOfMonth(date) ? date : startOfMonth(addDays(startOfMonth(date), 31))

const isStartOfDay = (instant: Date): boolean =>
  startOfSaoPauloDay(saoPauloDate(instant)).getTime() === instant.getTime()

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

// May begin behind its end: when both instants are on one day, or on two days that follow each other.
const wholeDays = ({ from, to }: Bounds<Date>): Bounds<string> => ({
  from: from && (isStartOfDay(from) ? saoPauloDate(from) : addDays(saoPauloDate(from), 1)),
  to: to && saoPauloDate(to),
})

const isBefore = (first: string | undefined, second: string | undefined): boolean =>
  first !== undefined && second !== undefined && first < second

// The parts of days before the first whole one and behind the last.
const edgesOf = ({ from, to }: Bounds<Date>, whole: Bounds<string>): FigurePeriod['edges'] => {
  if (from && to && isBefore(whole.to, whole.from)) return [{ from, to }]
  return [
    ...(from && whole.from ? [{ from, to: startOfSaoPauloDay(whole.from) }] : []),
    ...(to && whole.to ? [{ from: startOfSaoPauloDay(whole.to), to }] : []),
  ]
}

/** Cuts a period of instants. Without `months` it is cut into days only, for what is shown by day. */
export const cutPeriod = (period: Bounds<Date>, { months = true }: { months?: boolean } = {}): FigurePeriod => {
  const whole = wholeDays(period)
  const edges = edgesOf(period, whole).filter(nonEmpty)
  if (!nonEmpty(whole)) return { whole: undefined, months: undefined, days: [], edges }
  return { whole, ...(months ? inMonths(whole) : { months: undefined, days: [whole] }), edges }
}
