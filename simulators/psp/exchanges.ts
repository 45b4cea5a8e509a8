/** One request to the API and what became of it, as `GET /control/requests` shows it. */
export type Exchange = {
  id: number
  at: string
  /** `cob.put` and the like; undefined for an address that is none of ours. */
  operation: string | undefined
  method: string
  url: string
  merchantId: string | undefined
  requestHeaders: Record<string, string>
  requestBody: unknown
  status: number | undefined
  responseType: string | undefined
  responseBody: unknown
  /** `cut` and `hung` are faults: no answer left. */
  outcome: 'running' | 'answered' | 'cut' | 'hung'
  /** The fault that met it. */
  faultId: number | undefined
  durationMs: number | undefined
}

const KEPT_MAX = 2_000
const SHOWN_HEADERS = ['content-type', 'user-agent', 'x-skip-mtls-checking', 'x-conta-corrente']

export type Exchanges = ReturnType<typeof createExchanges>

type Begun = { operation: string | undefined; method: string; url: string; headers: Record<string, unknown> }

/** The latest exchanges, in memory. Tokens and secrets are not among what is kept. */
export const createExchanges = () => {
  let kept: Exchange[] = []
  let nextId = 1

  const begin = ({ operation, method, url, headers }: Begun): Exchange => {
    const shown = SHOWN_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
    const exchange: Exchange = {
      id: nextId++,
      at: new Date().toISOString(),
      operation,
      method,
      url,
      merchantId: undefined,
      requestHeaders: Object.fromEntries(shown),
      requestBody: undefined,
      status: undefined,
      responseType: undefined,
      responseBody: undefined,
      outcome: 'running',
      faultId: undefined,
      durationMs: undefined,
    }
    kept.push(exchange)
    // Forgetting half at a time keeps the cost of a request constant.
    if (kept.length > 2 * KEPT_MAX) kept = kept.slice(-KEPT_MAX)
    return exchange
  }

  /** The latest that fit, oldest first. */
  const list = (filter: { operation?: string | undefined; merchantId?: string | undefined }): Exchange[] =>
    kept
      .filter(({ operation }) => filter.operation === undefined || operation === filter.operation)
      .filter(({ merchantId }) => filter.merchantId === undefined || merchantId === filter.merchantId)
      .slice(-KEPT_MAX)

  const clear = (): void => {
    kept = []
  }

  return { begin, list, clear }
}
