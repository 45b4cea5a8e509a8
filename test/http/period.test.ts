import { expect, test } from 'vitest'
import { periodOf } from '../../src/http/period.ts'

test('a date is the start of that day in São Paulo, an instant is itself, and nothing is no bound', () => {
  expect(periodOf({ from: '2026-11-21', to: '2026-11-21T12:00:00-03:00' })).toEqual({
    from: new Date('2026-11-21T03:00:00.000Z'),
    to: new Date('2026-11-21T15:00:00.000Z'),
  })
  expect(periodOf({})).toEqual({ from: undefined, to: undefined })
})

test('a day of a summer with daylight saving time starts an hour earlier', () => {
  expect(periodOf({ from: '2018-12-01' }).from).toEqual(new Date('2018-12-01T02:00:00.000Z'))
})

test.each(['from', 'to'])('a %s before the calendar is known is the caller’s fault', (name) => {
  expect(() => periodOf({ [name]: '1800-01-01' })).toThrow(
    expect.objectContaining({ code: 'validation.failed', status: 400 }),
  )
})
