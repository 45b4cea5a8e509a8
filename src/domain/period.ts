import { addDays, daysBetween, saoPauloDate, startOfSaoPauloDay } from './calendar.ts'

/** Half open: from `from` on, before `to`. A missing end is open. */
export type Period = { from?: Date | undefined; to?: Date | undefined }

/** Half open, both ends known. */
export type ReportPeriod = { from: Date; to: Date }

/** The longest period of a report. */
export const REPORT_DAYS_MAX = 366
export const REPORT_DAYS_DEFAULT = 30

/** A period with both ends: by default the last 30 days of São Paulo, today included. It may be empty or run backwards. */
export const withDefaultEnds = (given: Period, now: Date): ReportPeriod => {
  const to = given.to ?? startOfSaoPauloDay(addDays(saoPauloDate(now), 1))
  return { from: given.from ?? startOfSaoPauloDay(addDays(saoPauloDate(to), -REPORT_DAYS_DEFAULT)), to }
}

/** The last days of São Paulo, today included, as many as a report has that says nothing else. */
export const lastDays = (now: Date): ReportPeriod => withDefaultEnds({}, now)

/** How many days of São Paulo lie between the dates of the two ends. */
export const daysIn = ({ from, to }: ReportPeriod): number => daysBetween(saoPauloDate(from), saoPauloDate(to))

/** The São Paulo dates that a period touches, in order. */
export const datesOf = ({ from, to }: ReportPeriod): string[] => {
  const first = saoPauloDate(from)
  const last = saoPauloDate(new Date(to.getTime() - 1))
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index))
}

/** The months that a period touches, `YYYY-MM`, in order. */
export const monthsOf = (period: ReportPeriod): string[] => [
  ...new Set(datesOf(period).map((date) => date.slice(0, 'YYYY-MM'.length))),
]
