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

const LOOSER_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/

/**
 * The same URL with the `sslmode` that the driver makes of it: it verifies host and certificate under each name but
 * `disable`, and says so at length at every start. As given where it asks for libpq's meanings (`uselibpqcompat`).
 */
export const withVerifiedTls = (url: string): string =>
  url.includes('uselibpqcompat=') ? url : url.replace(LOOSER_MODES, '$1verify-full')
