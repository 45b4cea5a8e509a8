/**
 * The model's own calendar. A day is the number of days since 1970-01-01 in São Paulo, which has kept three hours
 * behind UTC since 2019.
 */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SAO_PAULO_MS = -3 * HOUR_MS

/** Where every run begins: a Monday, ten in the morning in São Paulo. Far ahead, since a platform's clock never goes back. */
export const EPOCH_MS = Date.UTC(2040, 0, 2, 13)

/** How long one platform may live before the list of holidays ends. */
export const DAYS_MAX = 1_000

export const dayOf = (ms: number): number => Math.floor((ms + SAO_PAULO_MS) / DAY_MS)

/** The hour of the day in São Paulo. */
export const hourOf = (ms: number): number => Math.floor(((((ms + SAO_PAULO_MS) % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS)

/** The first moment of a day. */
export const midnightOf = (day: number): number => day * DAY_MS - SAO_PAULO_MS

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Days without banks, as the calendars of 2040 to 2043 print them. Weekends are left out. */
const HOLIDAYS: ReadonlySet<string> = new Set(
  `
  2040-02-13 2040-02-14 2040-03-30 2040-05-01 2040-05-31 2040-09-07 2040-10-12 2040-11-02 2040-11-15 2040-11-20
  2040-12-25 2041-01-01 2041-03-04 2041-03-05 2041-04-19 2041-05-01 2041-06-20 2041-11-15 2041-11-20 2041-12-25
  2042-01-01 2042-02-17 2042-02-18 2042-04-04 2042-04-21 2042-05-01 2042-06-05 2042-11-20 2042-12-25 2043-01-01
  2043-02-09 2043-02-10 2043-03-27 2043-04-21 2043-05-01 2043-05-28 2043-09-07 2043-10-12 2043-11-02 2043-11-20
  2043-12-25
  `
    .trim()
    .split(/\s+/),
)

const THURSDAY_OF_1970 = 4
const weekdayOf = (day: number): number => (day + THURSDAY_OF_1970) % 7

/** What administrators said about single dates: whether banks are closed, whatever the printed calendar says. */
export type Holidays = Map<string, boolean>

const isBusinessDay = (day: number, holidays: Holidays): boolean => {
  const weekday = weekdayOf(day)
  const date = dateOf(day)
  return weekday !== 0 && weekday !== 6 && !(holidays.get(date) ?? HOLIDAYS.has(date))
}

/** The day itself, or the next one with banks. */
export const onBusinessDay = (day: number, holidays: Holidays): number => {
  let at = day
  while (!isBusinessDay(at, holidays)) at += 1
  return at
}

/** The next day that the printed calendar has as a holiday. */
export const nextPrintedHoliday = (day: number): number => {
  let at = day + 1
  while (!HOLIDAYS.has(dateOf(at))) at += 1
  return at
}

/** The moments at which a jump of the clock stops: each midnight on the way, and its end. */
export const stopsOf = (fromMs: number, toMs: number): number[] => {
  const stops: number[] = []
  for (let at = midnightOf(dayOf(fromMs) + 1); at < toMs; at += DAY_MS) stops.push(at)
  return [...stops, toMs]
}
