import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addBusinessDays,
  addDays,
  daysBetween,
  isBankHoliday,
  isBusinessDay,
  isCalendarDate,
  nationalHolidays,
  nextBusinessDay,
  onBusinessDay,
  saoPauloDate,
  startOfSaoPauloDay,
} from '../../src/domain/calendar.ts'

const instants = fc.date({ min: new Date('1900-01-01Z'), max: new Date('2100-01-01Z'), noInvalidDate: true })
const dates = instants.map((instant) => instant.toISOString().slice(0, 10))

test.each([
  ['2026-11-21T02:59:59.999Z', '2026-11-20'],
  ['2026-11-21T03:00:00.000Z', '2026-11-21'],
  ['2027-01-01T01:00:00.000Z', '2026-12-31'],
  // With daylight saving time, two hours behind UTC.
  ['2018-12-31T01:59:59.999Z', '2018-12-30'],
  ['2018-12-31T02:00:00.000Z', '2018-12-31'],
  // Clocks went back at midnight: 23:30 came twice.
  ['2018-02-18T01:30:00.000Z', '2018-02-17'],
  ['2018-02-18T02:30:00.000Z', '2018-02-17'],
  ['2018-02-18T03:00:00.000Z', '2018-02-18'],
  // Clocks went forward at midnight: there was no 00:30.
  ['2018-11-04T02:59:59.999Z', '2018-11-03'],
  ['2018-11-04T03:00:00.000Z', '2018-11-04'],
])('%s falls on %s in São Paulo', (instant, date) => {
  expect(saoPauloDate(new Date(instant))).toBe(date)
})

test.each([
  ['2026-11-21', '2026-11-21T03:00:00.000Z'],
  ['2018-12-31', '2018-12-31T02:00:00.000Z'],
  ['2018-02-18', '2018-02-18T03:00:00.000Z'],
  ['2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['2018-11-05', '2018-11-05T02:00:00.000Z'],
  // Local mean time ended with 1913.
  ['1914-01-01', '1914-01-01T03:06:28.000Z'],
  ['1914-01-02', '1914-01-02T03:00:00.000Z'],
  ['0001-01-01', '0001-01-01T03:06:28.000Z'],
  ['9999-12-31', '9999-12-31T03:00:00.000Z'],
])('%s begins at %s', (date, instant) => {
  expect(startOfSaoPauloDay(date).toISOString()).toBe(instant)
})

test('a day begins with its first millisecond: the one before is the day before', () => {
  fc.assert(
    fc.property(dates, (date) => {
      const start = startOfSaoPauloDay(date)
      expect(saoPauloDate(start)).toBe(date)
      expect(saoPauloDate(new Date(start.getTime() - 1))).toBe(addDays(date, -1))
    }),
  )
})

test('every instant lies between the beginnings of its own day and of the next', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const date = saoPauloDate(instant)
      expect(startOfSaoPauloDay(date).getTime()).toBeLessThanOrEqual(instant.getTime())
      expect(startOfSaoPauloDay(addDays(date, 1)).getTime()).toBeGreaterThan(instant.getTime())
    }),
  )
})

test('what is no date is refused', () => {
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '', '2026-01-01T00:00:00Z', 'tomorrow']) {
    expect(isCalendarDate(text)).toBe(false)
    expect(() => addDays(text, 1)).toThrow(RangeError)
    expect(() => startOfSaoPauloDay(text)).toThrow(RangeError)
  }
  expect(isCalendarDate('2028-02-29')).toBe(true)
  expect(() => saoPauloDate(new Date(Number.NaN))).toThrow(RangeError)
  expect(() => addDays('2026-01-01', 0.5)).toThrow(RangeError)
})

test('adding days and counting them are inverse', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  fc.assert(
    fc.property(dates, fc.integer({ min: -5_000, max: 5_000 }), (date, days) => {
      expect(daysBetween(date, addDays(date, days))).toBe(days)
      expect(addDays(addDays(date, days), -days)).toBe(date)
    }),
  )
})

test('the bank holidays of 2026', () => {
  expect(nationalHolidays(2026).map(({ date }) => date)).toEqual([
    '2026-01-01',
    '2026-02-16',
    '2026-02-17',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-06-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-15',
    '2026-11-20',
    '2026-12-25',
  ])
  expect(nationalHolidays(2026).map(({ name }) => name)).toContain('Corpus Christi')
  expect(nationalHolidays(2026).every(({ date }) => isBankHoliday(date))).toBe(true)
  expect(nationalHolidays(2023)).toHaveLength(12)
})

test.each([
  // Good Friday of each year, as published.
  ['2000-04-21'],
  ['2008-03-21'],
  ['2011-04-22'],
  ['2019-04-19'],
  ['2024-03-29'],
  ['2025-04-18'],
  ['2027-03-26'],
  ['2038-04-23'],
  ['2049-04-16'],
  // Corpus Christi.
  ['2023-06-08'],
  ['2024-05-30'],
  ['2025-06-19'],
  ['2027-05-27'],
  // Monday and Tuesday of Carnival.
  ['2024-02-12'],
  ['2024-02-13'],
  ['2025-03-03'],
  ['2025-03-04'],
])('banks are closed on %s', (date) => {
  expect(isBankHoliday(date)).toBe(true)
  expect(isBusinessDay(date)).toBe(false)
})

test('20 November is a holiday since 2024', () => {
  expect(isBankHoliday('2023-11-20')).toBe(false)
  expect(isBankHoliday('2024-11-20')).toBe(true)
})

test('Ash Wednesday and the last day of the year are business days', () => {
  expect(isBusinessDay('2026-02-18')).toBe(true)
  expect(isBusinessDay('2026-12-31')).toBe(true)
})

test('passed changes add and remove holidays', () => {
  const holidays = new Map([
    ['2026-07-09', true],
    ['2026-11-20', false],
  ])
  expect(isBusinessDay('2026-07-09')).toBe(true)
  expect(isBusinessDay('2026-07-09', holidays)).toBe(false)
  expect(isBusinessDay('2026-11-20', holidays)).toBe(true)
  expect(nextBusinessDay('2026-07-08', holidays)).toBe('2026-07-10')
  // A weekend stays one.
  expect(isBusinessDay('2026-11-15', new Map([['2026-11-15', false]]))).toBe(false)
})

test('the next business day is never the day itself', () => {
  expect(nextBusinessDay('2026-11-18')).toBe('2026-11-19')
  expect(nextBusinessDay('2026-11-19')).toBe('2026-11-23')
  expect(nextBusinessDay('2026-02-13')).toBe('2026-02-18')
  expect(onBusinessDay('2026-11-19')).toBe('2026-11-19')
  expect(onBusinessDay('2026-11-20')).toBe('2026-11-23')
})

test('business days are counted without weekends and holidays', () => {
  expect(addBusinessDays('2026-11-19', 0)).toBe('2026-11-19')
  expect(addBusinessDays('2026-11-21', 0)).toBe('2026-11-23')
  expect(addBusinessDays('2026-11-21', 1)).toBe('2026-11-23')
  expect(addBusinessDays('2026-11-19', 1)).toBe('2026-11-23')
  expect(addBusinessDays('2026-12-23', 3)).toBe('2026-12-29')
  expect(() => addBusinessDays('2026-11-19', -1)).toThrow(RangeError)
  expect(() => addBusinessDays('2026-11-19', 1.5)).toThrow(RangeError)
})

test('adding business days crosses exactly that many of them', () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 40 }), (date, days) => {
      const end = addBusinessDays(date, days)
      const crossed = Array.from({ length: daysBetween(date, end) }, (_, index) => addDays(date, index + 1))
      expect(crossed.filter((day) => isBusinessDay(day))).toHaveLength(days)
      expect(isBusinessDay(end)).toBe(true)
    }),
  )
})
