/** An answer of the tests' own operations. */
export type ControlAnswer = { status: number; body: Record<string, unknown> }

export type Control = ReturnType<typeof createControl>

/** A client of the simulator's `/control`. */
export const createControl = (controlUrl: string) => {
  const call = async (method: string, path: string, body?: unknown): Promise<ControlAnswer> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${controlUrl}/control${path}`, { method, headers, ...payload })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson ? JSON.parse(text) : { text } }
  }

  /** Does what must work. Throws where it does not. */
  const must = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** A payer pays. Answers the Pix as the standard shows it. */
  const pay = async (body: Record<string, unknown>): Promise<Record<string, unknown> & { endToEndId: string }> => {
    const { pix } = await must('POST', '/payments', body)
    return pix as Record<string, unknown> & { endToEndId: string }
  }

  return { call, must, pay, plant: (fault: Record<string, unknown>) => must('POST', '/faults', fault) }
}
