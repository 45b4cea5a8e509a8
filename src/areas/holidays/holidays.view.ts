import type { Holiday } from '../../domain/calendar.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { HolidayOverride } from './holidays.repository.ts'

export const nationalView = ({ date, name }: Holiday) => ({
  date,
  name,
  isHoliday: true,
  origin: 'national' as const,
  updatedAt: null,
})

export const overrideView = ({ date, name, isHoliday, updatedAt }: HolidayOverride) => ({
  date,
  name,
  isHoliday,
  origin: 'override' as const,
  updatedAt: toTimestamp(updatedAt),
})

export type HolidayView = ReturnType<typeof nationalView> | ReturnType<typeof overrideView>
