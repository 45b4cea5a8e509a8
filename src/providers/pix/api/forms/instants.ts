/** Instants as the API writes them: RFC 3339. */
import { z } from 'zod'

const HAS_OFFSET = /(?:[Zz]|[+-]\d{2}:?\d{2})$/
const SECOND_MS = 1_000

/** Reads an instant. Without an offset it is UTC, which all times of the API are. */
export const instantSchema = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d{2}-\d{2}T/)
  .transform((text, context) => {
    const ms = Date.parse(HAS_OFFSET.test(text) ? text : `${text}Z`)
    if (!Number.isNaN(ms)) return new Date(ms)
    context.addIssue('not an instant')
    return z.NEVER
  })

const withoutFraction = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Writes the beginning and end of a list in whole seconds, which every PSP reads, widened to include both. */
export const periodQuery = ({ from, to }: { from: Date; to: Date }): { inicio: string; fim: string } => ({
  inicio: withoutFraction(Math.floor(from.getTime() / SECOND_MS) * SECOND_MS),
  fim: withoutFraction(Math.ceil(to.getTime() / SECOND_MS) * SECOND_MS),
})
