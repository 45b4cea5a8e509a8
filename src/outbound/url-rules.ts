import { isIP } from 'node:net'
import { type AddressOptions, type AddressRules, createAddressRules } from './address-rules.ts'
import type { Resolver } from './resolver.ts'

export type UrlRefusal =
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'credentials_not_allowed'
  | 'fragment_not_allowed'
  | 'blocked_address'
  | 'too_long'

export type UrlCheck = { ok: true; url: string } | { ok: false; reason: UrlRefusal }

export type UrlOptions = AddressOptions & {
  /** Whether plain `http:` passes beside `https:`. True unless said otherwise. */
  allowHttp?: boolean
}

export const URL_LENGTH_MAX = 2048
const HOSTNAME_LENGTH_MAX = 253

const SPACE_OR_CONTROL = /[\s\p{Cc}]/u
const USERINFO = /^[a-z]+:[/\\]+[^/\\?#]*@/i

/** The host without the brackets that a URL puts around IPv6. */
export const bareHost = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

const parse = (text: string): URL | undefined => {
  if (SPACE_OR_CONTROL.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null) return undefined
  if (!url.hostname.endsWith('.')) return url
  // A name and the same name with the root's dot are one host: one spelling keeps them one origin, one certificate name.
  url.hostname = url.hostname.slice(0, -1)
  return url
}

const isHostname = (hostname: string): boolean =>
  isIP(bareHost(hostname)) !== 0 ||
  (hostname.length <= HOSTNAME_LENGTH_MAX && hostname.split('.').every((label) => label !== ''))

const schemeRefused = (url: URL, allowHttp: boolean): boolean =>
  url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')

const hostRefusal = (text: string, url: URL, addresses: AddressRules): UrlRefusal | undefined => {
  if (!text.slice(url.protocol.length).startsWith('//')) return 'invalid_url'
  if (url.username !== '' || url.password !== '' || USERINFO.test(text)) return 'credentials_not_allowed'
  if (text.includes('#')) return 'fragment_not_allowed'
  if (url.port === '0' || !isHostname(url.hostname)) return 'invalid_url'
  if (url.href.length > URL_LENGTH_MAX) return 'too_long'
  const host = bareHost(url.hostname)
  return isIP(host) !== 0 && !addresses.allows(host) ? 'blocked_address' : undefined
}

export type UrlInspection = { ok: true; url: URL } | { ok: false; reason: UrlRefusal }

/** As `checkUrl`, for who holds address rules already and goes on with the parsed URL. */
export const inspectUrl = (text: string, addresses: AddressRules, allowHttp = true): UrlInspection => {
  if (text.length > URL_LENGTH_MAX) return { ok: false, reason: 'too_long' }
  const url = parse(text)
  if (url === undefined) return { ok: false, reason: 'invalid_url' }
  if (schemeRefused(url, allowHttp)) return { ok: false, reason: 'scheme_not_allowed' }
  const reason = hostRefusal(text, url, addresses)
  return reason === undefined ? { ok: true, url } : { ok: false, reason }
}

/**
 * Judges a URL that a user gave by its text alone. It is read as WHATWG URL, so that every spelling of an IP address
 * (decimal, octal, hexadecimal, short, mapped, with fullwidth digits) is judged as the address that it means.
 * `url` is the normalised form: store and call that one, never the text.
 */
export const checkUrl = (text: string, { allowHttp = true, ...networks }: UrlOptions): UrlCheck => {
  const inspection = inspectUrl(text, createAddressRules(networks), allowHttp)
  return inspection.ok ? { ok: true, url: inspection.url.href } : inspection
}

export type HostCheck = { ok: true } | { ok: false; reason: 'blocked_address' }

/**
 * Judges where a checked URL leads now: one non-public address among the answers is enough to refuse.
 * A name that does not resolve at the moment passes, because every call resolves and judges it again.
 */
export const checkHost = async (url: string, resolver: Resolver, options: AddressOptions): Promise<HostCheck> => {
  const rules = createAddressRules(options)
  const host = bareHost(new URL(url).hostname)
  const addresses = isIP(host) === 0 ? await resolver(host).catch(() => []) : [host]
  return addresses.every(rules.allows) ? { ok: true } : { ok: false, reason: 'blocked_address' }
}
