import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { environmentOf } from '../../../simulators/psp/certificates/environment.ts'
import type { Merchant } from '../../../simulators/psp/certificates/folder.ts'
import { PROFILES, type ProfileName } from '../../../simulators/psp/profiles.ts'
import type { Psp } from '../../../simulators/psp/server.ts'
import { createStandard } from './pix-standard.ts'

/** An answer of the PSP. */
export type PspAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  contentType: string
  /** The parsed JSON, or the text where it is none. */
  body: Record<string, unknown> & { violacoes?: { razao: string; propriedade: string }[] }
}

export type CallOptions = {
  query?: Record<string, string | number | boolean>
  headers?: Record<string, string>
  token?: string
  timeoutMs?: number
}

type Identity = { cert: string; key: string }
type ClientOptions = { psp: Psp; profile: ProfileName; merchantId: string; identity?: Identity | undefined }

let standard: ReturnType<typeof createStandard> | undefined

/** The Central Bank's document, read once. */
export const theStandard = (): ReturnType<typeof createStandard> => {
  standard ??= createStandard()
  return standard
}

const merchantOf = (psp: Psp, id: string): Merchant => {
  const merchant = psp.certificates.merchants.find((candidate) => candidate.id === id)
  if (merchant === undefined) throw new Error(`no merchant ${id}`)
  return merchant
}

/** Certificate and key of a merchant, as files of the simulator's folder. `suffix` names another one: `-expired`. */
export const identityOf = ({ certificatesFolder }: Psp, id: string, suffix = ''): Identity => ({
  cert: readFileSync(join(certificatesFolder, `${id}${suffix}.pem`), 'utf8'),
  key: readFileSync(join(certificatesFolder, `${id}${suffix}.key`), 'utf8'),
})

const parsed = (text: string): PspAnswer['body'] => {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return { text }
  }
}

// Its own words for a resource, where a profile has them somewhere else.
const addressOf = (profile: ProfileName, path: string): string => {
  const { basePath, resourcePath } = PROFILES[profile]
  const isOneCharge = /^\/cob\/[^/]+$/.test(path)
  const resource = isOneCharge ? resourcePath('/cob/:txid').replace('/cob/:txid', path) : resourcePath(path)
  return basePath + resource
}

const urlOf = (address: string, query: CallOptions['query'] = {}): URL => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url
}

const headersOf = (body: unknown, { token, headers }: CallOptions): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
  ...headers,
})

export type PspClient = ReturnType<typeof createPspClient>

/**
 * A merchant's client with its certificate. Every exchange with an operation of the standard is judged by the Central
 * Bank's document: one that does not fit fails the test.
 */
export const createPspClient = ({ psp, profile, merchantId, identity }: ClientOptions) => {
  const merchant = merchantOf(psp, merchantId)
  const { certificatesFolder: folder, apiPort } = psp
  const environment = environmentOf(merchant, { profile, apiPort, folder })
  const origin = `https://localhost:${apiPort}`
  const ca = psp.certificates.authority
  const agent = new Agent({ connect: { ca, ...(identity ?? identityOf(psp, merchantId)) }, connections: 16 })
  let token: string | undefined

  /** One exchange at an address, judged by nobody. A text is sent as it is, all else as JSON. */
  const raw = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<PspAnswer> => {
    const answer = await request(urlOf(origin + path, options.query), {
      method: method as 'GET',
      dispatcher: agent,
      headers: headersOf(body, options),
      body: typeof body === 'string' || body === undefined ? (body ?? null) : JSON.stringify(body),
      signal: AbortSignal.timeout(options.timeoutMs ?? 15_000),
    })
    const text = await answer.body.text()
    const contentType = String(answer.headers['content-type'] ?? '')
    return { status: answer.statusCode, headers: answer.headers, contentType, body: parsed(text) }
  }

  /** Asks for a token the way the profile wants it. */
  const askToken = (fields: Record<string, string> = {}): Promise<PspAnswer> => {
    const { clientAuthentication, tokenPath } = PROFILES[profile]
    const form = new URLSearchParams({ grant_type: 'client_credentials' })
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
    const { clientId, clientSecret } = merchant
    if (clientAuthentication === 'basic') {
      headers.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    } else {
      form.set('client_id', clientId)
      if (clientAuthentication === 'form') form.set('client_secret', clientSecret)
    }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return raw('POST', tokenPath, form.toString(), { headers })
  }

  const tokenOf = async (): Promise<string> => {
    if (token !== undefined) return token
    const { status, body } = await askToken()
    if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
    token = String(body.access_token)
    return token
  }

  /** An operation of the profile's own, by its address. */
  const own = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<PspAnswer> =>
    raw(method, path, body, { ...options, token: options.token ?? (await tokenOf()) })

  /** An operation of the standard, by the standard's path: `/cob/{txid}`. */
  const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<PspAnswer> => {
    const answer = await own(method, addressOf(profile, path), body, options)
    const { status, contentType } = answer
    const fault = theStandard().judge({ method, path, requestBody: body, status, contentType, body: answer.body })
    if (fault !== undefined) {
      throw new Error(`${method} ${path} ${status} does not fit the standard: ${fault}\n${JSON.stringify(answer.body)}`)
    }
    return answer
  }

  return {
    ...{ merchant, environment, raw, askToken, own, call },
    key: merchant.keys[0] ?? '',
    /** Forgets the token, so that the next call asks for one. */
    logOut: (): void => {
      token = undefined
    },
    close: (): Promise<void> => agent.close(),
  }
}
