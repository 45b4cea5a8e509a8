import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Word } from './book.ts'

// biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server sent; the model says what it must be.
export type Reply = { status: number; body: any; text: string; isReplayed: boolean; wasCut: boolean }

export type Account = { email: string; password: string; token: string }

export type Call = {
  as?: Account | null
  body?: unknown
  key?: string
  form?: FormData
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof createClient>

type Options = {
  url: () => string
  encryptionKey: string
  /** A connection broke: brings the platform back. Absent where that must not happen. */
  onBroken?: (() => Promise<void>) | undefined
}

const IN_PROGRESS_PAUSE_MS = 50
const TURNED_AWAY_PAUSE_MS = 500

/** A machine that has too much to do turns requests away before it does anything: clients ask again. */
const isTurnedAway = ({ status, body }: Reply): boolean => status === 503 && body?.code === 'server.unavailable'

/** Of a story that takes longer than a token or a proof of the password lives. */
const isProofOld = ({ status, body }: Reply): boolean => status === 401 || body?.code === 'auth.step_up_required'

const headersOf = ({ as, body, key, headers = {} }: Call): Record<string, string> => ({
  ...(as ? { authorization: `Bearer ${as.token}` } : {}),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(key === undefined ? {} : { 'idempotency-key': key }),
  ...headers,
})

const textOf = ({ body }: Call): string | null => {
  if (body === undefined) return null
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Talks to a platform as sellers, administrators and the acquirer do. What was cut off is asked again, under the same key. */
export const createClient = ({ url, encryptionKey, onBroken }: Options) => {
  const agent = new Agent({ connections: 64, keepAliveTimeout: 60_000 })
  const secret = createHmac('sha256', encryptionKey).update('sandbox callbacks').digest()

  const sendForm = async (target: string, { as, form }: Call): Promise<Reply> => {
    const headers = { authorization: `Bearer ${as?.token}` }
    const response = await fetch(target, { method: 'POST', headers, body: form ?? null })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text), text, isReplayed: false, wasCut: false }
  }

  const sendOnce = async (method: string, path: string, call: Call): Promise<Reply> => {
    const target = path.startsWith('/') ? `${url()}${path}` : `${url()}/api/v1/${path}`
    if (call.form) return sendForm(target, call)
    const { statusCode, headers, body } = await request(target, {
      method: method as 'GET',
      dispatcher: agent,
      headers: headersOf(call),
      body: textOf(call),
    })
    const text = await body.text()
    const isJson = String(headers['content-type'] ?? '').includes('json')
    const isReplayed = headers['idempotency-replayed'] === 'true'
    return { status: statusCode, body: isJson ? JSON.parse(text) : undefined, text, isReplayed, wasCut: false }
  }

  const attempt = async (method: string, path: string, call: Call): Promise<Reply | undefined> => {
    try {
      const reply = await sendOnce(method, path, call)
      if (!isTurnedAway(reply)) return reply
      await wait(TURNED_AWAY_PAUSE_MS)
    } catch (error) {
      if (onBroken === undefined) throw error
      await onBroken()
    }
    return undefined
  }

  const send = async (method: string, path: string, call: Call): Promise<Reply> => {
    for (let wasCut = false; ; wasCut = true) {
      const reply = await attempt(method, path, call)
      if (reply) return { ...reply, wasCut }
    }
  }

  const login = async (account: Account): Promise<void> => {
    const { email, password } = account
    const { status, body, text } = await send('POST', 'auth/login', { body: { email, password } })
    if (status !== 200) throw new Error(`the log-in of ${email} was answered with ${status}: ${text}`)
    account.token = body.tokens.accessToken
  }

  const call = async (method: string, path: string, options: Call = {}): Promise<Reply> => {
    const reply = await send(method, path, options)
    if (options.as && isProofOld(reply)) {
      await login(options.as)
      return send(method, path, options)
    }
    // Only after a crash: the lock or the lease of the attempt that died is still there.
    if (reply.body?.code !== 'idempotency.in_progress' || onBroken === undefined) return reply
    await wait(IN_PROGRESS_PAUSE_MS)
    return call(method, path, options)
  }

  return {
    login,
    /** Asks once, whatever becomes of it. */
    once: sendOnce,
    get: (path: string, options?: Call) => call('GET', path, options),
    post: (path: string, options?: Call) => call('POST', path, options),
    put: (path: string, options?: Call) => call('PUT', path, options),
    delete: (path: string, options?: Call) => call('DELETE', path, options),

    /** The acquirer calls back. The same text is the same callback. */
    callBack(text: string): Promise<Reply> {
      const atMs = Date.now()
      const mac = createHmac('sha256', secret).update(`${atMs}.${text}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-sandbox-signature': `t=${atMs},v1=${mac}` }
      return call('POST', '/callbacks/sandbox', { body: text, headers })
    },

    close: () => agent.destroy(),
  }
}

export const callbackText = (words: readonly Word[]): string =>
  JSON.stringify({ id: randomUUID(), notifications: words })
