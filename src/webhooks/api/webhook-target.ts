import { type InputFault, requestErrors } from '../../errors.ts'
import type { Resolver } from '../../outbound/resolver.ts'
import { checkHost, checkUrl, type UrlOptions, type UrlRefusal } from '../../outbound/url-rules.ts'

type Dependencies = { targets: UrlOptions; resolver: Resolver }

const MESSAGES: Readonly<Record<UrlRefusal, string>> = {
  invalid_url: 'must be an http(s) URL',
  scheme_not_allowed: 'must begin with https:// or http://',
  credentials_not_allowed: 'must not hold a user name or password',
  fragment_not_allowed: 'must not have a fragment (#)',
  blocked_address: 'must lead to an address on the public internet',
  too_long: 'is too long',
}

const refusal = (code: UrlRefusal, { allowHttp }: UrlOptions): Error => {
  const isPlainRefused = code === 'scheme_not_allowed' && allowHttp === false
  const message = isPlainRefused ? 'must begin with https://' : MESSAGES[code]
  const fault: InputFault = { in: 'body', path: 'url', code, message }
  return requestErrors.failed({ errors: [fault] })
}

/**
 * Judges a URL that a seller wants to be called at, and answers its normalised form. Asks the name servers, so never
 * inside a transaction. Throws validation.failed.
 */
export const createWebhookTarget =
  ({ targets, resolver }: Dependencies) =>
  async (text: string): Promise<string> => {
    const checked = checkUrl(text, targets)
    if (!checked.ok) throw refusal(checked.reason, targets)
    const host = await checkHost(checked.url, resolver, targets)
    if (!host.ok) throw refusal(host.reason, targets)
    return checked.url
  }

export type WebhookTarget = ReturnType<typeof createWebhookTarget>
