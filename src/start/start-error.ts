import { type Config, ConfigError } from '../config.ts'
import { CertificateError } from '../crypto/certificate-files.ts'
import { DataFolderError } from '../data-folder.ts'
import { EmbeddedPostgresError } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'

/** A start that failed for a reason that one line explains and the operator can mend. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const NO_ADDRESS = 'has no address here. Set HOST to one of this machine, like 127.0.0.1 or 0.0.0.0.'

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process. Stop that one, or set PORT to another port (0: any free one).',
  EACCES: 'may not be used by this account. Set PORT to one above 1023.',
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
  EADDRNOTAVAIL: 'is not an address of this machine. Set HOST to one that is.',
}

type Listening = Pick<Config, 'host' | 'port' | 'metrics'>

// The metrics and the sandbox's card fields have ports of their own.
const variableOf = (taken: unknown, port: number, metricsPort: number | undefined): string => {
  if (taken === metricsPort) return 'METRICS_PORT'
  return taken === port ? 'PORT' : 'SANDBOX_CARD_FIELDS_PORT'
}

/** The one line for a server that could not listen, or what was thrown if it is something else. */
export const listenError = (error: unknown, { host, port, metrics }: Listening): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = LISTEN_FAULTS[code]
  if (reason === undefined) return error
  const taken = error instanceof Error && 'port' in error ? error.port : port
  const variable = variableOf(taken, port, metrics.port)
  return new StartError(`${host}:${taken} ${reason.replace('PORT', variable)}`)
}

/** Whether a failed start explains itself by its message, so that a stack would only frighten. */
export const isExplained = (error: unknown): error is Error =>
  error instanceof StartError ||
  error instanceof ConfigError ||
  error instanceof DataFolderError ||
  error instanceof EmbeddedPostgresError ||
  error instanceof MigrationError ||
  error instanceof CertificateError
