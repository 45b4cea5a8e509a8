import { z } from 'zod'
import { addDays, daysBetween, saoPauloDate, startOfSaoPauloDay } from '../domain/calendar.ts'
import { requestErrors } from '../errors.ts'
import { periodOf } from './period.ts'
import { periodFields, timestampView } from './primitives.schemas.ts'

/** The longest period of a report. */
export const REPORT_DAYS_MAX = 366
const REPORT_DAYS_DEFAULT = 30

/** Half open, both ends known. */
export type ReportPeriod = { from: Date; to: Date }

/** Query fields of every report. */
export const reportPeriodFields = {
  from: periodFields.from.meta({
    description: `Start of the period: an instant or São Paulo date, included. By default ${REPORT_DAYS_DEFAULT} days before its end.`,
    examples: ['2026-11-01'],
  }),
  to: periodFields.to.meta({
    description: `End of the period: an instant or São Paulo date, not included. By default the end of today. At most ${REPORT_DAYS_MAX} days after its start.`,
    examples: ['2026-12-01'],
  }),
}

export const reportPeriodResponse = z
  .object({
    from: timestampView.meta({
      description: 'Start of the period, included: an instant, ISO 8601 in UTC.',
      examples: ['2026-11-01T03:00:00.000Z'],
    }),
    to: timestampView.meta({
      description: 'End of the period, not included: an instant, ISO 8601 in UTC.',
      examples: ['2026-12-01T03:00:00.000Z'],
    }),
  })
  .meta({ description: 'The period that the figures are of.' })

const fault = (path: 'from' | 'to', code: string, message: string) =>
  requestErrors.failed({ errors: [{ in: 'query', path, code, message }] })

/**
 * The period of a report: by default the last 30 days of São Paulo, today included.
 * Throws validation.failed for one that is empty or longer than REPORT_DAYS_MAX.
 */
export const reportPeriodOf = (
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
): ReportPeriod => {
  const given = periodOf(query)
  const to = given.to ?? startOfSaoPauloDay(addDays(saoPauloDate(now), 1))
  const from = given.from ?? startOfSaoPauloDay(addDays(saoPauloDate(to), -REPORT_DAYS_DEFAULT))
  if (from >= to) throw fault(given.from ? 'from' : 'to', 'invalid_period', 'must be before the end of the period')
  if (daysBetween(saoPauloDate(from), saoPauloDate(to)) > REPORT_DAYS_MAX) {
    throw fault(given.from ? 'from' : 'to', 'too_long', `the period must not be longer than ${REPORT_DAYS_MAX} days`)
  }
  return { from, to }
}

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
