import type { IncomingHttpHeaders } from 'node:http'

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * Whether a form was sent by a page of this server. Browsers say so in Sec-Fetch-Site, which no page can forge, and on
 * plain http in Origin. A request with neither comes from no browser that this page works in, and is refused.
 * As Go's net/http.CrossOriginProtection, without its exception for those.
 */
export const isSameOrigin = (headers: IncomingHttpHeaders, publicUrl: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const sender = headers.origin === undefined ? undefined : hostOf(headers.origin)
  return sender !== undefined && (sender === headers.host || sender === hostOf(publicUrl))
}
