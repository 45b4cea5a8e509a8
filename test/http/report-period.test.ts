import { expect, test } from 'vitest'
import { datesOf, monthsOf, reportPeriodOf } from '../../src/http/report-period.ts'

const NOW = new Date('2026-11-21T02:00:00.000Z')
const failure = expect.objectContaining({ code: 'validation.failed', status: 400 })

test('a report is of the last 30 days of São Paulo, today included', () => {
  const period = reportPeriodOf({}, NOW)
  expect(period).toEqual({ from: new Date('2026-10-22T03:00:00.000Z'), to: new Date('2026-11-21T03:00:00.000Z') })
  expect(datesOf(period)).toHaveLength(30)
  expect(datesOf(period).at(-1)).toBe('2026-11-20')
})

test('the end that is not given is the end of today, or the start 30 days earlier', () => {
  expect(reportPeriodOf({ from: '2026-11-20' }, NOW).to).toEqual(new Date('2026-11-21T03:00:00.000Z'))
  expect(reportPeriodOf({ to: '2026-03-31' }, NOW).from).toEqual(new Date('2026-03-01T03:00:00.000Z'))
})

test('366 days are the most, also where daylight saving time began or ended', () => {
  expect(datesOf(reportPeriodOf({ from: '2024-01-01', to: '2025-01-01' }, NOW))).toHaveLength(366)
  expect(datesOf(reportPeriodOf({ from: '2017-07-01', to: '2018-07-02' }, NOW))).toHaveLength(366)
  expect(() => reportPeriodOf({ from: '2024-01-01', to: '2025-01-02' }, NOW)).toThrow(failure)
})

test('an empty period and one that runs backwards are refused, also where an end is the default', () => {
  expect(() => reportPeriodOf({ from: '2026-05-01', to: '2026-05-01' }, NOW)).toThrow(failure)
  expect(() => reportPeriodOf({ from: '2026-05-02', to: '2026-05-01' }, NOW)).toThrow(failure)
  expect(() => reportPeriodOf({ from: '2027-01-01' }, NOW)).toThrow(failure)
})

test('a period of instants touches the days and months that it begins and ends in', () => {
  const period = reportPeriodOf({ from: '2026-01-31T23:00:00-03:00', to: '2026-03-01T01:00:00-03:00' }, NOW)
  expect(datesOf(period).at(0)).toBe('2026-01-31')
  expect(datesOf(period).at(-1)).toBe('2026-03-01')
  expect(monthsOf(period)).toEqual(['2026-01', '2026-02', '2026-03'])
})
