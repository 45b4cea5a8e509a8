import { z } from 'zod'
import { dateSchema, queryNumber, text, timestampView } from '../../http/primitives.schemas.ts'

const YEAR_MIN = 2000
const YEAR_MAX = 2199
const NAME_MAX = 100
/** Every day of a year, and one more for a leap year. */
const DAYS_MAX = 366

export const holidaysQuery = z.strictObject({
  year: queryNumber(YEAR_MIN, YEAR_MAX)
    .optional()
    .meta({ description: 'By default this year, in São Paulo.', examples: [2027] }),
})

export const holidayParams = z.strictObject({
  date: dateSchema
    .refine((date) => Number(date.slice(0, 4)) >= YEAR_MIN && Number(date.slice(0, 4)) <= YEAR_MAX, {
      message: `must lie in the years ${YEAR_MIN} to ${YEAR_MAX}`,
    })
    .meta({ description: 'Date in São Paulo, YYYY-MM-DD.', examples: ['2027-07-09'] }),
})

const isHoliday = z.boolean().meta({
  description: 'True: banks are closed. False: they work, also where the national calendar says otherwise.',
  examples: [true],
})

export const putHolidayBody = z
  .strictObject({
    isHoliday,
    name: text(NAME_MAX).meta({
      description: 'What the day is, or why it is none.',
      examples: ['Feriado extraordinário'],
    }),
  })
  .meta({ description: 'What holds on this date. It touches dates that are computed from now on.' })

export const holidayResponse = z
  .object({
    date: dateSchema,
    name: z
      .string()
      .max(NAME_MAX)
      .meta({ description: 'What the day is.', examples: ['Corpus Christi'] }),
    isHoliday,
    origin: z.enum(['national', 'override']).meta({
      description: '`national`: computed by law. `override`: an administrator said so.',
      examples: ['national'],
    }),
    updatedAt: timestampView.nullable().meta({ description: 'When an administrator last said so.' }),
  })
  .meta({ title: 'Holiday', description: 'A date and whether banks are closed on it.' })

export const holidaysResponse = z
  .object({
    year: z
      .number()
      .int()
      .meta({ description: 'The year of these dates.', examples: [2027] }),
    holidays: z
      .array(holidayResponse)
      .max(DAYS_MAX)
      .meta({ description: 'National holidays and all overrides, in order. Weekends are not listed.' }),
  })
  .meta({ title: 'Holidays', description: 'The calendar that settlement dates are computed by.' })

export type HolidaysQuery = z.output<typeof holidaysQuery>
export type PutHolidayBody = z.output<typeof putHolidayBody>
