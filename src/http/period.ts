import { startOfSaoPauloDay } from '../domain/calendar.ts'
import { requestErrors } from '../errors.ts'

/** Half open: from `from` on, before `to`. */
export type Period = { from?: Date | undefined; to?: Date | undefined }

type Name = 'from' | 'to'

const YEAR_MIN = 1914

const instantOf = (name: Name, text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  if (Number(text.slice(0, 4)) < YEAR_MIN) {
    const message = `must not be before the year ${YEAR_MIN}`
    throw requestErrors.failed({ errors: [{ in: 'query', path: name, code: 'too_small', message }] })
  }
  return text.length === 'YYYY-MM-DD'.length ? startOfSaoPauloDay(text) : new Date(text)
}

/** The period of a list's `from` and `to`: a date is the start of that day in São Paulo. Throws validation.failed. */
export const periodOf = (query: { from?: string | undefined; to?: string | undefined }): Period => ({
  from: instantOf('from', query.from),
  to: instantOf('to', query.to),
})
