import { z } from 'zod'
import { AMOUNT_MAX } from '../domain/money.ts'

// NUL bytes and lone surrogates never get here: the security plugin refuses them wherever they stand in a request.
/** One line or paragraph of text, trimmed, never empty. */
export const text = (max: number) => z.string().trim().min(1).max(max)

export const idSchema = z
  .uuid()
  .max(36)
  .toLowerCase()
  .meta({
    description: 'UUID, made by the server.',
    examples: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
  })

/** Path parameters of an operation on one thing. */
export const idParams = z.strictObject({ id: idSchema })

/** An amount of money that must be positive: centavos. */
export const amountSchema = z
  .number()
  .int()
  .min(1)
  .max(AMOUNT_MAX)
  .meta({ description: 'Centavos (BRL).', examples: [10_000] })

/** An amount of money that may be zero: centavos. */
export const amountOrZeroSchema = z
  .number()
  .int()
  .min(0)
  .max(AMOUNT_MAX)
  .meta({ description: 'Centavos (BRL).', examples: [0] })

/** An amount in an answer: centavos, of either sign. */
export const amountView = z
  .number()
  .int()
  .meta({ description: 'Centavos (BRL).', examples: [10_000] })

/** A percentage on the wire: a number in percent with up to two decimals. */
export const percentageSchema = z
  .number()
  .min(0)
  .max(100)
  .multipleOf(0.01)
  .meta({ description: 'Percent, with up to two decimals: 10.5 is 10.5 %.', examples: [10.5] })

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta({ format: 'email', description: 'E-mail address.', examples: ['maria@example.com'] })

/** An e-mail address in an answer. */
export const emailView = z
  .string()
  .max(254)
  .meta({ format: 'email', description: 'E-mail address.', examples: ['maria@example.com'] })

/** An e-mail address as it is told to receivers who need not write to it. */
export const maskedEmailView = z
  .string()
  .max(254)
  .meta({ description: 'E-mail address, masked.', examples: ['a***@example.com'] })

/** An absolute URL in an answer. */
export const urlView = z
  .string()
  .max(2_048)
  .meta({ format: 'uri', description: 'Absolute URL.', examples: ['https://example.com/'] })

/** An instant in an answer. */
export const timestampView = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601 in UTC with milliseconds.', examples: ['2026-11-21T13:05:12.481Z'] })

/** A calendar date in America/Sao_Paulo. */
export const dateSchema = z.iso.date().meta({ description: 'Date in São Paulo, YYYY-MM-DD.', examples: ['2026-11-30'] })

const dateOrInstant = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** A date or an instant as a request writes it. Documented as one text: generators cannot tell two formats apart. */
export const dateOrInstantText = z
  .string()
  .max(40)
  .refine((moment) => dateOrInstant.safeParse(moment).success, {
    message: 'must be a date, YYYY-MM-DD, or an instant with its offset (ISO 8601)',
    params: { code: 'invalid_format' },
  })
  .meta({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$' })

/** How an instant stands in an answer. */
export const toTimestamp = (date: Date): string => date.toISOString()

export const toTimestampOrNull = (date: Date | null): string | null => date?.toISOString() ?? null

const METADATA_KEYS_MAX = 20

/** The caller's own keys and values, kept and given back untouched. */
export const metadataSchema = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((metadata) => Object.keys(metadata).length <= METADATA_KEYS_MAX, `at most ${METADATA_KEYS_MAX} keys`)
  .meta({ description: `Up to ${METADATA_KEYS_MAX} keys of your own, with text values.`, examples: [{ order: '77' }] })

/** A whole number in a query. Not coerced: `0x10`, `1e3` or an empty text are none. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.number('must be a whole number').int().min(min).max(max),
  )

/** A query field that may be given several times; one value counts as a list of one. */
export const repeatable = <Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(z.enum(values)).max(20).optional(),
    )
    .meta({ description: 'May be given several times.' })
