/** How an instant stands in an answer: ISO 8601 in UTC with milliseconds. */
export const toTimestamp = (date: Date): string => date.toISOString()

export const toTimestampOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
