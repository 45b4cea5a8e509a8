import { hostUrls } from '../database-url.ts'
import { readSmtpUrl } from './smtp.ts'
import { isThisMachine } from './this-machine.ts'

type Given = Readonly<Record<string, string | undefined>>

const DATABASES = ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const
const HTTP = [
  'S3_ENDPOINT',
  'PIX_API_URL',
  'PIX_TOKEN_URL',
  'BREACHED_PASSWORDS_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const

// Without a mode, and with this one, the driver speaks in clear.
const isPlainDatabase = (text: string): boolean =>
  hostUrls(text).some((host) => {
    const url = new URL(host)
    return !isThisMachine(url) && [null, 'disable'].includes(url.searchParams.get('sslmode'))
  })

const isPlainHttp = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.protocol === 'http:' && !isThisMachine(url)
}

const isPlainSmtp = (text: string): boolean => {
  const { secure, requireTls } = readSmtpUrl(text)
  return !secure && !requireTls && !isThisMachine(new URL(text))
}

/** The variables, right in their form, that have this process speak in clear with another machine. */
export const plainConnections = (given: Given): string[] => {
  const those = (names: readonly string[], isPlain: (text: string) => boolean): string[] =>
    names.filter((name) => given[name] !== undefined && isPlain(given[name]))
  return [...those(DATABASES, isPlainDatabase), ...those(['SMTP_URL'], isPlainSmtp), ...those(HTTP, isPlainHttp)]
}
