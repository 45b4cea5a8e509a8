import { addDays, saoPauloDate, startOfSaoPauloDay } from '../domain/calendar.ts'

/** Half open; a missing end is open. */
export type Bounds<Value> = { from?: Value | undefined; to?: Value | undefined }

/** A period cut into what is known beforehand, whole months and days, and what has to be added up from the rows. */
export type TotalPeriod = {
  /** From the first day that is known whole to the last. Undefined: none is. */
  whole: Bounds<string> | undefined
  months: Bounds<string> | undefined
  days: Bounds<string>[]
  /** Parts of the days at the two ends. */
  edges: { from: Date; to: Date }[]
}

const startOfMonth = (date: string): string => `${date.slice(0, 'YYYY-MM'.length)}-01`

const firstOfMonthFrom = (date: string): string =>
  date === startOfMonth(date) ? date : startOfMonth(addDays(startOfMonth(date), 31))

const nonEmpty = <Value extends string | Date>({ from, to }: Bounds<Value>): boolean =>
  from === undefined || to === undefined || from < to

// The days before the first whole month, the whole months, and the days behind them.
const inMonths = ({ from, to }: Bounds<string>): Pick<TotalPeriod, 'months' | 'days'> => {
  const months = { from: from && firstOfMonthFrom(from), to: to && startOfMonth(to) }
  if (!nonEmpty(months)) return { months: undefined, days: [{ from, to }] }
  const days = [
    ...(from === undefined ? [] : [{ from, to: months.from }]),
    ...(to === undefined ? [] : [{ from: months.to, to }]),
  ]
  return { months, days: days.filter(nonEmpty) }
}

const firstWholeDay = (from: Date): string => {
  const date = saoPauloDate(from)
  return startOfSaoPauloDay(date).getTime() === from.getTime() ? date : addDays(date, 1)
}

// What lies before the first whole day, and behind the last.
const edgesOf = ({ from, to }: Bounds<Date>, whole: Bounds<string>): TotalPeriod['edges'] => {
  const before = from && whole.from ? [{ from, to: startOfSaoPauloDay(whole.from) }] : []
  const behind = to && whole.to ? [{ from: startOfSaoPauloDay(whole.to), to }] : []
  return [...before, ...behind].filter(nonEmpty)
}

/** Cuts a period of instants. Without `months` it is cut into days only, for what is shown by day. */
export const cutPeriod = (period: Bounds<Date>, { months = true }: { months?: boolean } = {}): TotalPeriod => {
  const { from, to } = period
  const whole = { from: from && firstWholeDay(from), to: to && saoPauloDate(to) }
  if (from && to && whole.from && whole.to && whole.from > whole.to) {
    // Within one day.
    return { whole: undefined, months: undefined, days: [], edges: from < to ? [{ from, to }] : [] }
  }
  const edges = edgesOf(period, whole)
  if (!nonEmpty(whole)) return { whole: undefined, months: undefined, days: [], edges }
  return { whole, ...(months ? inMonths(whole) : { months: undefined, days: [whole] }), edges }
}
