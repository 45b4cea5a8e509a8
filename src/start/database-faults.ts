import { hostUrls } from '../database-url.ts'
import { isUnavailable, sqlState } from '../db/errors.ts'
import { StartError } from './start-error.ts'

type Place = { server: string; database: string; user: string }

// Without the password, which is a secret.
const placeOf = (url: string): Place => {
  const hosts = hostUrls(url).map((one) => new URL(one))
  const { pathname, username } = hosts[0] ?? new URL(url)
  const user = decodeURIComponent(username)
  const server = hosts.map(({ host }) => host).join(',')
  return { server, database: decodeURIComponent(pathname.slice(1)) || user, user }
}

const refused = ({ server, user }: Place): string =>
  `The Postgres at ${server} does not let the user "${user}" in. Check user and password in DATABASE_URL.`

// SQLSTATE of Postgres, appendix A of its manual.
const BY_STATE: Readonly<Record<string, (place: Place) => string>> = {
  '28P01': refused,
  '28000': (place) => `${refused(place)} Servers that want TLS need ?sslmode=verify-full there.`,
  '3D000': ({ server, database }) =>
    `The Postgres at ${server} has no database "${database}". Make it (create database "${database}"), or check DATABASE_URL.`,
  '42501': ({ server, database, user }) =>
    `The user "${user}" may not make tables in ${server}/${database}. Make it the owner: alter database "${database}" owner to "${user}".`,
  '25006': ({ server, database }) =>
    `The database at ${server}/${database} takes no writes: it is a standby, or was made read-only. Set DATABASE_URL to the one that is written.`,
  '53300': ({ server }) =>
    `The Postgres at ${server} has no connection left. Raise its max_connections, or lower DATABASE_POOL_MAX.`,
}

const CERTIFICATE_CODES = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

// Drizzle wraps what the driver throws.
const driverError = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error

const tlsFault = (error: unknown, { server }: Place): string | undefined => {
  if (error instanceof Error && error.message.includes('does not support SSL'))
    return `The Postgres at ${server} takes no TLS connections. Turn on ssl there, or set sslmode=disable in DATABASE_URL.`
  const code = codeOf(error)
  if (!CERTIFICATE_CODES.test(code)) return undefined
  return `The certificate of the Postgres at ${server} is not trusted (${code}). Name its authority in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/ca.pem.`
}

// Beside those that a call may be repeated for.
const NETWORK_CODES: ReadonlySet<string> = new Set(['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'ENOENT'])

/** The one line for a database that cannot be used, or what was thrown if it is something else. */
export const databaseFault = (error: unknown, url: string): unknown => {
  const place = placeOf(url)
  const line = BY_STATE[sqlState(error) ?? '']?.(place) ?? tlsFault(driverError(error), place)
  if (line !== undefined) return new StartError(line, { cause: error })
  if (!isUnavailable(error) && !NETWORK_CODES.has(codeOf(driverError(error)))) return error
  return new StartError(`The database at ${place.server}/${place.database} cannot be reached. Check DATABASE_URL.`, {
    cause: error,
  })
}
