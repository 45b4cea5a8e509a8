import { ConfigError } from '../config.ts'
import { EmbeddedPostgresError } from '../db/embedded.ts'

/** A start that failed for a reason that one line explains and the operator can mend. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process. Stop that one, or set PORT to another port (0: any free one).',
  EACCES: 'may not be used by this account. Set PORT to one above 1023.',
  EADDRNOTAVAIL: 'is not an address of this machine. Set HOST to one that is.',
}

/** The one line for a server that could not listen, or what was thrown if it is something else. */
export const listenError = (error: unknown, host: string, port: number): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = LISTEN_FAULTS[code]
  if (reason === undefined) return error
  const taken = error instanceof Error && 'port' in error ? error.port : port
  // The sandbox's card fields have a port of their own.
  const variable = taken === port ? 'PORT' : 'SANDBOX_CARD_FIELDS_PORT'
  return new StartError(`${host}:${taken} ${reason.replace('PORT', variable)}`)
}

/** Whether a failed start explains itself by its message, so that a stack would only frighten. */
export const isExplained = (error: unknown): error is Error =>
  error instanceof StartError || error instanceof ConfigError || error instanceof EmbeddedPostgresError
