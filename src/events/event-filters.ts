import { EVENT_TYPES } from './event-types.ts'

const areaOf = (type: string): string => type.split('.')[0] ?? type

const AREA_FILTERS = [...new Set(EVENT_TYPES.map((type) => `${areaOf(type)}.*`))]

export const EVERY_EVENT = '*'

/** Everything that may stand in a webhook's `events`: `*`, one area as in `payment.*`, or one type. */
export const EVENT_FILTERS: readonly [string, ...string[]] = [EVERY_EVENT, ...AREA_FILTERS, ...EVENT_TYPES]

/** The filters of which at least one must be in a webhook's list for it to receive this type. */
export const filtersFor = (type: string): readonly string[] => [EVERY_EVENT, `${areaOf(type)}.*`, type]

/** Whether a webhook with these filters receives events of this type. */
export const matchesEvent = (filters: readonly string[], type: string): boolean =>
  filtersFor(type).some((filter) => filters.includes(filter))
