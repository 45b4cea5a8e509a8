import { getCACertificates } from 'node:tls'
import { Agent, request } from 'undici'

/** What the PSP shows when it calls, and the authority that it believes beside the public ones. */
export type CallbackIdentity = { key: string; certificate: string; authority: string }

/** What came of one call: a status, or why there was none. */
export type Attempt = { status: number } | { error: string }

export type CallOptions = {
  timeoutMs: number
  /** Shows no certificate, as somebody would who is not the PSP. */
  isAnonymous?: boolean
}

export type Caller = ReturnType<typeof createCaller>

/** Posts to merchants. It always shows the PSP's certificate; whether a merchant looks at it is theirs to decide. */
export const createCaller = ({ key, certificate: cert, authority }: CallbackIdentity) => {
  const ca = [...getCACertificates('default'), authority]
  const known = new Agent({ connect: { key, cert, ca } })
  const anonymous = new Agent({ connect: { ca } })

  const call = async (url: string, body: string, { timeoutMs, isAnonymous }: CallOptions): Promise<Attempt> => {
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        dispatcher: isAnonymous ? anonymous : known,
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body.dump()
      return { status: answer.statusCode }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  const close = async (): Promise<void> => void (await Promise.all([known.destroy(), anonymous.destroy()]))

  return { call, close }
}

export const isSuccess = (attempt: Attempt): boolean =>
  'status' in attempt && attempt.status >= 200 && attempt.status < 300
