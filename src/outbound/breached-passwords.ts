import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { requestErrors } from '../errors.ts'
import type { GaugeSource } from '../telemetry/gauge.ts'

type Options = {
  /** Where hashes are asked for, by their beginning: the range API of Have I Been Pwned. Absent: nowhere. */
  url: string | undefined
  logger: Pick<FastifyBaseLogger, 'warn'>
}

const TIMEOUT_MS = 1_500
/** After a question that got no answer none is asked for so long: a service that is away costs one wait, not one each. */
const REST_MS = 30_000
const ANSWER_BYTES_MAX = 1_048_576
/** What the service is told of a hash: about a thousand known passwords begin like each. */
const TOLD_CHARACTERS = 5

const MESSAGE = 'This password is known from a data breach. Choose another.'

const read = async (response: Response): Promise<string> => {
  if (!response.ok || response.body === null) throw new Error(`the service answered ${response.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > ANSWER_BYTES_MAX) throw new Error('the answer of the service is too long')
  }
  return text
}

// Lines like `0018A45C4D1DEF81644B54AB7F969B88D65:3`. Those that are made up to fill the answer have the count 0.
const isListed = (answer: string, rest: string): boolean =>
  answer.split('\n').some((line) => {
    const [suffix = '', count = ''] = line.trim().split(':')
    return suffix.toUpperCase() === rest && Number(count) > 0
  })

/**
 * Looks whether a chosen password is among those that leaked somewhere (OWASP ASVS 5.0, 6.2.12). The service gets the first
 * five of forty digits of a SHA-1 hash and answers all that begin so: it learns neither the password nor whether it was
 * found. Without an answer every password passes, which is counted: an account can be opened while others are away.
 */
export const createBreachedPasswords = ({ url, logger }: Options) => {
  let unansweredCount = 0
  let restsUntilMs = 0

  const ask = async (base: string, beginning: string): Promise<string | undefined> => {
    if (performance.now() < restsUntilMs) return undefined
    try {
      // Padding: how long the answer is tells nobody on the way which beginning was asked for.
      const headers = { 'add-padding': 'true', 'user-agent': 'payment-platform' }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      return await read(await fetch(`${base}${beginning}`, { headers, signal, redirect: 'error' }))
    } catch (error) {
      restsUntilMs = performance.now() + REST_MS
      logger.warn({ err: error }, 'passwords are not compared with breached ones: the service does not answer')
      return undefined
    }
  }

  return {
    /** Throws validation.failed for a password that leaked. `path` names its field. Waits on a network: never in a transaction. */
    async refuse(password: string, path: string): Promise<void> {
      if (url === undefined) return
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
      const answer = await ask(url, hash.slice(0, TOLD_CHARACTERS))
      if (answer === undefined) unansweredCount += 1
      else if (isListed(answer, hash.slice(TOLD_CHARACTERS)))
        throw requestErrors.failed({ errors: [{ in: 'body', path, code: 'password_breached', message: MESSAGE }] })
    },

    gauge: {
      name: 'passwords_not_compared',
      help: 'Chosen passwords that this process took without comparing them with breached ones, as the service did not answer.',
      read: () => unansweredCount,
    } satisfies GaugeSource,
  }
}

export type BreachedPasswords = ReturnType<typeof createBreachedPasswords>
