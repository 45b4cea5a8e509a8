const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/**
 * When a São Paulo day has ever begun, from midnight UTC: with daylight saving time, without, and by the local mean
 * time that held until 1914.
 */
const MIDNIGHTS_MS = [2 * HOUR_MS, 3 * HOUR_MS, (3 * 3_600 + 6 * 60 + 28) * 1_000] as const

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/

/** National holidays by month and day, with the year of the first one where the year matters (Lei 14.759/2023). */
const FIXED_HOLIDAYS: ReadonlyMap<string, { name: string; since?: number }> = new Map([
  ['01-01', { name: 'Confraternização Universal' }],
  ['04-21', { name: 'Tiradentes' }],
  ['05-01', { name: 'Dia do Trabalho' }],
  ['09-07', { name: 'Independência do Brasil' }],
  ['10-12', { name: 'Nossa Senhora Aparecida' }],
  ['11-02', { name: 'Finados' }],
  ['11-15', { name: 'Proclamação da República' }],
  ['11-20', { name: 'Dia da Consciência Negra', since: 2024 }],
  ['12-25', { name: 'Natal' }],
])

/** By days from Easter (Resolução CMN 4.880/2020). */
const MOVABLE_HOLIDAYS: ReadonlyMap<number, string> = new Map([
  [-48, 'Segunda-feira de Carnaval'],
  [-47, 'Terça-feira de Carnaval'],
  [-2, 'Sexta-feira Santa'],
  [60, 'Corpus Christi'],
])

/** A calendar date, `YYYY-MM-DD`. Of São Paulo, where it comes from an instant. */
export type LocalDate = string

/** Single dates on which the computed bank holidays are wrong: true, banks are closed; false, they work. */
export type HolidayOverrides = ReadonlyMap<LocalDate, boolean>

export const NO_OVERRIDES: HolidayOverrides = new Map()

// Making a formatter costs a hundred times what using it does.
const saoPauloFormat = new Intl.DateTimeFormat('en', {
  timeZone: 'America/Sao_Paulo',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const utcDate = (ms: number): LocalDate => new Date(ms).toISOString().slice(0, 10)

/** Midnight UTC of a date, or NaN where it does not exist. */
const parseMs = (date: string): number => {
  const ms = CALENDAR_DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  // The parser reads 30 February as a day in March.
  return Number.isNaN(ms) || utcDate(ms) === date ? ms : Number.NaN
}

const toMs = (date: string): number => {
  const ms = parseMs(date)
  if (Number.isNaN(ms)) throw new RangeError(`not a calendar date: ${date}`)
  return ms
}

/** Whether a text is an existing date, written `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => !Number.isNaN(parseMs(text))

const formattedDate = (instant: Date): LocalDate => {
  const parts = saoPauloFormat.formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((entry) => entry.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

const QUARTER_OF_AN_HOUR_MS = 900_000
let latest = { quarter: Number.NaN, date: '' }

/** The date that an instant falls on in São Paulo, as `YYYY-MM-DD`. Throws a RangeError on an invalid Date. */
export const saoPauloDate = (instant: Date): LocalDate => {
  const ms = instant.getTime()
  // Time zones differ by quarters of an hour: within one the date is the same. Most questions are about now.
  const quarter = Math.floor(ms / QUARTER_OF_AN_HOUR_MS)
  if (quarter === latest.quarter && ms > 0) return latest.date
  latest = { quarter, date: formattedDate(instant) }
  return latest.date
}

/**
 * The first instant of a São Paulo date, in summers past also where the clocks skipped midnight or struck 23 twice.
 * Throws a RangeError on what is no date.
 */
export const startOfSaoPauloDay = (date: LocalDate): Date => {
  const starts = MIDNIGHTS_MS.map((midnightMs) => new Date(toMs(date) + midnightMs))
  const start = starts.find((candidate) => saoPauloDate(candidate) === date)
  if (start === undefined) throw new RangeError(`no known midnight in São Paulo: ${date}`)
  return start
}

/** The date `days` calendar days later, or earlier when negative. */
export const addDays = (date: LocalDate, days: number): LocalDate => {
  if (!Number.isSafeInteger(days)) throw new RangeError(`not a whole number of days: ${days}`)
  return utcDate(toMs(date) + days * DAY_MS)
}

/** Calendar days from one date to another; negative when the other is earlier. */
export const daysBetween = (from: LocalDate, to: LocalDate): number => (toMs(to) - toMs(from)) / DAY_MS

/** Easter Sunday by the Gregorian computus (the form that Meeus, Jones and Butcher published). */
const easterSunday = (year: number): LocalDate => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const marchDay = 22 + epact + weekday - 7 * shift
  return addDays(`${String(year).padStart(4, '0')}-03-01`, marchDay - 1)
}

const nationalHoliday = (date: LocalDate): string | undefined => {
  const year = Number(date.slice(0, 4))
  const fixed = FIXED_HOLIDAYS.get(date.slice(5))
  if (fixed !== undefined && year >= (fixed.since ?? year)) return fixed.name
  return MOVABLE_HOLIDAYS.get(daysBetween(easterSunday(year), date))
}

export type Holiday = { date: LocalDate; name: string }

/** The computed holidays of a year, in order. Throws a RangeError on what is no year of four digits. */
export const nationalHolidays = (year: number): Holiday[] => {
  const holidays: Holiday[] = []
  const first = `${String(year).padStart(4, '0')}-01-01`
  for (let day = first; day.slice(0, 4) === first.slice(0, 4); day = addDays(day, 1)) {
    const name = nationalHoliday(day)
    if (name !== undefined) holidays.push({ date: day, name })
  }
  return holidays
}

/** Whether banks are closed on a date for a holiday, whatever its weekday. State and city holidays close no bank rail. */
export const isBankHoliday = (date: LocalDate, holidays: HolidayOverrides = NO_OVERRIDES): boolean =>
  holidays.get(date) ?? nationalHoliday(date) !== undefined

/** Whether banks settle on a date: no weekend, no bank holiday. */
export const isBusinessDay = (date: LocalDate, holidays?: HolidayOverrides): boolean => {
  const weekday = new Date(toMs(date)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(date, holidays)
}

/** The date itself when it is a business day, else the next one: for what falls due on a day without banks. */
export const onBusinessDay = (date: LocalDate, holidays?: HolidayOverrides): LocalDate => {
  let day = date
  while (!isBusinessDay(day, holidays)) day = addDays(day, 1)
  return day
}

/** The first business day after a date, never the date itself. */
export const nextBusinessDay = (date: LocalDate, holidays?: HolidayOverrides): LocalDate =>
  onBusinessDay(addDays(date, 1), holidays)

/** The date `days` business days later. With 0, the date itself, moved on when banks are closed. */
export const addBusinessDays = (date: LocalDate, days: number, holidays?: HolidayOverrides): LocalDate => {
  if (!Number.isSafeInteger(days) || days < 0) throw new RangeError(`not a number of days: ${days}`)
  let day = date
  for (let left = days; left > 0; left -= 1) day = nextBusinessDay(day, holidays)
  return onBusinessDay(day, holidays)
}
