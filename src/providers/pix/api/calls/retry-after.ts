/** When a PSP wants to be asked again (RFC 9110, section 10.2.3): seconds, or an instant on the PSP's own clock. */

const SECOND_MS = 1_000
/** More than this is a mistake of the PSP's, and would stop us for a day. */
const RETRY_AFTER_MAX_MS = 3_600_000

type Header = { retryAfter: string | undefined; date: string | undefined }

const waitMs = ({ retryAfter, date }: Header, now: Date): number => {
  const text = retryAfter?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  // Against the PSP's own date, where it says one: ours may differ from it.
  const sentAt = Date.parse(date ?? '')
  return Date.parse(text) - (Number.isNaN(sentAt) ? now.getTime() : sentAt)
}

/** In milliseconds, at most an hour; null where the answer does not say. */
export const retryAfterMs = (header: Header, now: Date): number | null => {
  const ms = waitMs(header, now)
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS)
}
