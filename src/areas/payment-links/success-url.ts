const SPACE_OR_CONTROL = /[\s\p{Cc}]/u
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * A URL to send payers on to, in its normalised form, or why it is none. https only; plain http passes for this very
 * machine where `allowLoopback` says so. Userinfo is refused: it makes a stranger's host look like a known one.
 */
export const checkSuccessUrl = (
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): { ok: true; url: string } | { ok: false; message: string } => {
  const url = SPACE_OR_CONTROL.test(text) ? null : URL.parse(text)
  if (url === null) return { ok: false, message: 'must be an absolute URL' }
  const isLocal = allowLoopback && url.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) return { ok: false, message: 'must begin with https://' }
  if (url.username !== '' || url.password !== '') return { ok: false, message: 'must not hold credentials' }
  return { ok: true, url: url.href }
}
