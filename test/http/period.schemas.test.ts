import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { datesOf, monthsOf } from '../../src/domain/period.ts'
import { instantSchema, periodFields, reportQuery } from '../../src/http/period.schemas.ts'

const period = z.object(periodFields)

const codesOf = (schema: z.ZodType, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map((issue) => [issue.path.join('.'), issue.code === 'custom' ? issue.params?.code : issue.code])

describe('the period of a list', () => {
  test('a date is the start of that day in São Paulo, an instant is itself, and nothing is no bound', () => {
    expect(period.parse({ from: '2026-11-21', to: '2026-11-21T12:00:00-03:00' })).toEqual({
      from: new Date('2026-11-21T03:00:00.000Z'),
      to: new Date('2026-11-21T15:00:00.000Z'),
    })
    expect(period.parse({})).toEqual({})
  })

  test('a day of a summer with daylight saving time starts an hour earlier', () => {
    expect(period.parse({ from: '2018-12-01' }).from).toEqual(new Date('2018-12-01T02:00:00.000Z'))
  })

  test.each([
    ['1800-01-01', 'too_small'],
    ['0001-01-01', 'too_small'],
    ['0000-12-31T23:59:59Z', 'too_small'],
    ['9999-12-31T23:59:59-03:00', 'too_big'],
  ])('%s is the caller’s fault at either end', (text, code) => {
    expect(codesOf(period, { from: text })).toEqual([['from', code]])
    expect(codesOf(period, { to: text })).toEqual([['to', code]])
  })

  test('the last date that can be written stands for the last that can be reckoned with', () => {
    expect(period.parse({ to: '9999-12-31' }).to).toEqual(new Date('9999-11-30T03:00:00.000Z'))
  })
})

test('an instant of a body keeps to the same years', () => {
  expect(instantSchema.parse('2099-12-31T23:59:59-03:00')).toEqual(new Date('2100-01-01T02:59:59.000Z'))
  expect(codesOf(instantSchema, '0000-01-01T00:00:00Z')).toEqual([['', 'too_small']])
})

describe('the period of a report', () => {
  const schema = reportQuery({ now: () => new Date('2026-11-21T02:00:00.000Z') }, {})
  const periodOf = (query: { from?: string; to?: string }) => schema.parse(query).period

  test('it is of the last 30 days of São Paulo, today included', () => {
    const last = periodOf({})
    expect(last).toEqual({ from: new Date('2026-10-22T03:00:00.000Z'), to: new Date('2026-11-21T03:00:00.000Z') })
    expect(datesOf(last)).toHaveLength(30)
    expect(datesOf(last).at(-1)).toBe('2026-11-20')
  })

  test('the end that is not given is the end of today, or the start 30 days earlier', () => {
    expect(periodOf({ from: '2026-11-20' }).to).toEqual(new Date('2026-11-21T03:00:00.000Z'))
    expect(periodOf({ to: '2026-03-31' }).from).toEqual(new Date('2026-03-01T03:00:00.000Z'))
  })

  test('366 days are the most, also where daylight saving time began or ended', () => {
    expect(datesOf(periodOf({ from: '2024-01-01', to: '2025-01-01' }))).toHaveLength(366)
    expect(datesOf(periodOf({ from: '2017-07-01', to: '2018-07-02' }))).toHaveLength(366)
    expect(codesOf(schema, { from: '2024-01-01', to: '2025-01-02' })).toEqual([['from', 'too_long']])
  })

  test('an empty one and one that runs backwards are refused, also where an end is the default', () => {
    expect(codesOf(schema, { from: '2026-05-01', to: '2026-05-01' })).toEqual([['from', 'invalid_period']])
    expect(codesOf(schema, { from: '2026-05-02', to: '2026-05-01' })).toEqual([['from', 'invalid_period']])
    expect(codesOf(schema, { from: '2027-01-01' })).toEqual([['from', 'invalid_period']])
  })

  test('one of instants touches the days and months that it begins and ends in', () => {
    const touched = periodOf({ from: '2026-01-31T23:00:00-03:00', to: '2026-03-01T01:00:00-03:00' })
    expect(datesOf(touched).at(0)).toBe('2026-01-31')
    expect(datesOf(touched).at(-1)).toBe('2026-03-01')
    expect(monthsOf(touched)).toEqual(['2026-01', '2026-02', '2026-03'])
  })
})
