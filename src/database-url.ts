const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i
const OF_WRITERS: ReadonlySet<string | null> = new Set([null, 'read-write', 'primary'])

/**
 * An URL for each host of one like `postgres://user:password@a:5432,b:5433/platform?target_session_attrs=read-write`, the form
 * of libpq (https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). Empty where the text is no such URL.
 */
export const hostUrls = (text: string): string[] => {
  const [, opening = '', hosts, rest = ''] = PARTS.exec(text) ?? []
  if (hosts === undefined) return []
  const urls = hosts.split(',').map((host) => `${opening}${host}${rest}`)
  if (urls.length === 1) return URL.canParse(text) ? [text] : []
  const isWhole = hosts.split(',').every((host) => host !== '') && urls.every((url) => URL.canParse(url))
  return isWhole ? urls : []
}

/** Whether an URL asks for the host that takes writes, or leaves that open. */
export const asksForWriter = (text: string): boolean =>
  hostUrls(text).every((url) => OF_WRITERS.has(new URL(url).searchParams.get('target_session_attrs')))
