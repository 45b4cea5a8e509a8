import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { startOfSaoPauloDay } from '../domain/calendar.ts'
import { daysIn, REPORT_DAYS_DEFAULT, REPORT_DAYS_MAX, type ReportPeriod, withDefaultEnds } from '../domain/period.ts'
import { dateOrInstantText, timestampView } from './primitives.schemas.ts'

/** The first year whose São Paulo midnights are known. */
const YEAR_MIN = 1914
const YEAR_MAX = 9999

// The month after it can still be written with four digits. Nothing is as late as that, so an end behind it is the same.
const LATEST = new Date(`${YEAR_MAX}-11-30T03:00:00.000Z`)

const yearFault = (text: string, instant: Date) => {
  if (Number(text.slice(0, 4)) < YEAR_MIN) {
    return { code: 'too_small', message: `must not be before the year ${YEAR_MIN}` }
  }
  return instant.getUTCFullYear() > YEAR_MAX
    ? { code: 'too_big', message: `must not be after the year ${YEAR_MAX}` }
    : undefined
}

const isDate = (text: string): boolean => text.length === 'YYYY-MM-DD'.length

const startOf = (text: string): Date => (isDate(text) ? startOfSaoPauloDay(text) : new Date(text))

const encode = (instant: Date): string => instant.toISOString()

const decode = (text: string, context: z.core.ParsePayload<string>): Date => {
  const early = yearFault(text, LATEST)
  const instant = early ? LATEST : startOf(text)
  const fault = early ?? yearFault(text, instant)
  if (fault === undefined) return instant
  const { code, message } = fault
  context.issues.push({ code: 'custom', message, input: text, params: { code } })
  return z.NEVER
}

const bounded = (text: string, context: z.core.ParsePayload<string>): Date => {
  const instant = decode(text, context)
  return instant > LATEST ? LATEST : instant
}

/** The end of a period: an instant with its offset, or the start of a São Paulo date. */
const momentSchema = z.codec(dateOrInstantText, z.date(), { decode: bounded, encode })

/** An instant of a request, with its offset. */
export const instantSchema = z.codec(z.iso.datetime({ offset: true }).max(40), z.date(), { decode, encode })

/** Filters common to all lists: half open, on `createdAt`. */
export const periodFields = {
  from: momentSchema
    .optional()
    .meta({ description: 'Created at or after this instant or São Paulo date.', examples: ['2026-11-01'] }),
  to: momentSchema
    .optional()
    .meta({ description: 'Created before this instant or São Paulo date.', examples: ['2026-12-01'] }),
}

/** One end of a period that a list can be narrowed by, beside that of `createdAt`. */
export const sideOfPeriod = (description: string, example: string) =>
  momentSchema.optional().meta({ description, examples: [example] })

/** Refuses each period, by the names of its two ends, that ends before it begins. */
export const refuseReversedPeriods =
  (periods: Readonly<Record<string, string>>) =>
  (query: object, context: z.RefinementCtx): void => {
    const given = query as Readonly<Record<string, Date | undefined>>
    for (const [from, to] of Object.entries(periods)) {
      const [start, end] = [given[from], given[to]]
      if (start === undefined || end === undefined || start <= end) continue
      const params = { code: 'invalid_period' }
      context.addIssue({ code: 'custom', path: [from], message: `must not be after \`${to}\``, params })
    }
  }

const reportPeriodFields = {
  from: momentSchema.optional().meta({
    description: `Start of the period: an instant or São Paulo date, included. By default ${REPORT_DAYS_DEFAULT} days before its end.`,
    examples: ['2026-11-01'],
  }),
  to: momentSchema.optional().meta({
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
  .meta({ title: 'ReportPeriod', description: 'The period that the totals are of.' })

const reportFault = (period: ReportPeriod) => {
  if (period.from >= period.to) return { code: 'invalid_period', message: 'must be before the end of the period' }
  return daysIn(period) > REPORT_DAYS_MAX
    ? { code: 'too_long', message: `the period must not be longer than ${REPORT_DAYS_MAX} days` }
    : undefined
}

/**
 * The query of a report: its own fields and a `period`, by default the last 30 days of São Paulo by this clock, today
 * included. Refuses a period that is empty or longer than REPORT_DAYS_MAX.
 */
export const reportQuery = <Fields extends z.ZodRawShape>(clock: Clock, fields: Fields) =>
  z.strictObject({ ...reportPeriodFields, ...fields }).transform((query, context) => {
    const { from, to, ...rest } = query as { from?: Date | undefined; to?: Date | undefined }
    const period = withDefaultEnds({ from, to }, clock.now())
    const fault = reportFault(period)
    if (fault) {
      const { code, message } = fault
      context.addIssue({ code: 'custom', path: [from ? 'from' : 'to'], message, params: { code } })
    }
    // The generic shape is opaque to the compiler, which cannot take two fields from it.
    return { ...(rest as unknown as z.output<z.ZodObject<Fields>>), period }
  })
