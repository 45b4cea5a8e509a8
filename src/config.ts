import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { productionFaults } from './config-production.ts'
import { keptSecret } from './kept-secret.ts'
import {
  missingProvider,
  PROVIDER_NAMES,
  type ProvidersConfig,
  providerFaults,
  providersConfigOf,
} from './provider-config.ts'
import { type MailSender, readMailSender, readSmtpUrl, type SmtpServer } from './smtp-settings.ts'
import { EXPORTERS, OTLP_PROTOCOLS, SAMPLERS, type TelemetrySettings, telemetrySettings } from './telemetry-settings.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const PROCESS_ROLES = ['all', 'api', 'worker'] as const
const DOCUMENT_STORAGES = ['local', 's3'] as const

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const widest = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= widest
}

const networkList = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .refine((networks) => networks.every(isNetwork), 'must be networks like 10.0.0.0/8, separated by commas')

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)

const share = z
  .string()
  .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 1')
  .transform(Number)
  .refine((value) => value <= 1, 'must be a number from 0 to 1')

const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) URL')

const databaseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), 'must be a postgres:// URL')

// What a reader of text throws is a fault of the variable. Its message never quotes the text, which may hold a password.
const read =
  <Value>(reader: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return reader(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'cannot be read' })
      return z.NEVER
    }
  }

const publicUrl = httpUrl.transform((text) => text.replace(/\/+$/, ''))

const WHO_NEEDS_SECOND_FACTOR = ['admins', 'withdrawals'] as const

const secondFactorRule = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.split(',').map((part) => part.trim())))
  .pipe(z.array(z.enum(WHO_NEEDS_SECOND_FACTOR, 'must be none, or admins, withdrawals or both with a comma')))

const MINUTE_MS = 60_000
/** In production: two checks of most balancers, one second apart, and a third. */
const GRACE_IN_PRODUCTION_SECONDS = 5

const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).max(255).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_POOL_MAX: wholeNumber(2, 500).default(20),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  ENCRYPTION_KEY: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  SECOND_FACTOR_REQUIRED: secondFactorRule.optional(),
  PUBLIC_URL: publicUrl.optional(),
  ADMIN_EMAIL: z.email().max(254).optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  DATA_DIR: z.string().min(1).max(1_000).default('.data'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  PIX_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  BOLETO_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  CARD_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  PAYOUT_PROVIDER: z.enum(PROVIDER_NAMES).optional(),
  ALLOW_SANDBOX: z.enum(['true', 'false']).default('false'),
  PIX_API_URL: httpUrl.optional(),
  PIX_TOKEN_URL: httpUrl.optional(),
  PIX_CLIENT_ID: z.string().min(1).max(200).optional(),
  PIX_CLIENT_SECRET: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_FILE: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_KEY_FILE: z.string().min(1).max(1_000).optional(),
  PIX_CERTIFICATE_PASSWORD: z.string().min(1).max(1_000).optional(),
  PIX_CA_FILE: z.string().min(1).max(1_000).optional(),
  PIX_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,77}$/, 'must be a Pix key')
    .optional(),
  PIX_CALLBACK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{32,200}$/, 'must have at least 32 letters, digits, - or _')
    .optional(),
  PIX_ACCOUNT_NUMBER: z.string().min(1).max(50).optional(),
  PIX_APPLICATION_KEY: z.string().min(1).max(200).optional(),
  PIX_MERCHANT_NAME: z.string().min(1).max(25).optional(),
  PIX_MERCHANT_CITY: z.string().min(1).max(15).optional(),
  PIX_REFUND_UNMATCHED: z.enum(['true', 'false']).default('false'),
  SANDBOX_CARD_FIELDS_PORT: wholeNumber(0, 65_535).optional(),
  SANDBOX_CARD_FIELDS_URL: publicUrl.optional(),
  PROCESS_ROLE: z.enum(PROCESS_ROLES).default('all'),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 300).optional(),
  WEBHOOK_ALLOWED_NETWORKS: networkList.optional(),
  WEBHOOK_DENIED_NETWORKS: networkList.default([]),
  TRUSTED_PROXIES: networkList.default([]),
  CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .default([]),
  DOCUMENT_STORAGE: z.enum(DOCUMENT_STORAGES).default('local'),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_REGION: z.string().min(1).max(100).optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).max(200).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).max(200).optional(),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_TOKEN: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(OTLP_PROTOCOLS).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().max(4_000).optional(),
  OTEL_TRACES_EXPORTER: z.enum(EXPORTERS).default('otlp'),
  OTEL_METRICS_EXPORTER: z.enum(EXPORTERS).default('otlp'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1_000, 3_600_000).default(60_000),
  OTEL_SERVICE_NAME: z.string().max(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().max(4_000).optional(),
  SMTP_URL: z.string().transform(read(readSmtpUrl)).optional(),
  MAIL_FROM: z.string().transform(read(readMailSender)).optional(),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_TIGHT_PER_MINUTE: wholeNumber(1, 10_000_000).default(60),
  RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: wholeNumber(1, 10_000_000).default(30),
})

type Variables = z.output<typeof variables>

/** Where the documents of companies lie: a folder of this machine, or a bucket of an S3-compatible service. */
export type DocumentStorageConfig = Readonly<
  | { kind: 'local'; folder: string }
  | {
      kind: 's3'
      bucket: string
      region: string
      /** Absent: Amazon's own. */
      endpoint: string | undefined
      accessKeyId: string
      secretAccessKey: string
    }
>

/**
 * What becomes of mails: an SMTP server takes them; outside production they are files to be looked at where there is none;
 * in production they are kept in the database until there is one.
 */
export type MailConfig = Readonly<{ from: MailSender }> &
  Readonly<{ kind: 'smtp'; server: SmtpServer } | { kind: 'folder'; folder: string } | { kind: 'kept' }>

/** Everything the processes are told from outside. Read once, frozen. */
export type Config = Readonly<{
  production: boolean
  host: string
  port: number
  /** Absent: the platform starts its own Postgres under `dataDir`. */
  databaseUrl: string | undefined
  replicaUrl: string | undefined
  poolMax: number
  jwtSecret: string
  /** Seals webhook secrets at rest. */
  encryptionKey: string
  /** Of whom a second factor is asked: administrators, and people who withdraw. */
  secondFactor: Readonly<{ admins: boolean; withdrawals: boolean }>
  /** Absent: the address that the server listens on. */
  publicUrl: string | undefined
  admin: Readonly<{ email: string; password: string | undefined }>
  dataDir: string
  documentStorage: DocumentStorageConfig
  mail: MailConfig
  logLevel: Variables['LOG_LEVEL']
  providers: ProvidersConfig
  /** The card fields of the sandbox. `url` absent: the port under the platform's own host name. */
  sandboxCardFields: Readonly<{ port: number; url: string | undefined }>
  role: Variables['PROCESS_ROLE']
  /** For how long an API process serves on after SIGTERM, not ready any more, before it closes. */
  shutdownGraceMs: number
  /** CIDRs that webhooks reach although they are not public, and never although they are. */
  webhookNetworks: Readonly<{ allowedNetworks: readonly string[]; deniedNetworks: readonly string[] }>
  trustedProxies: readonly string[]
  corsOrigins: readonly string[]
  /** Where `/metrics` is read: on a port of its own, and on the API's with a token. With neither it is not there. */
  metrics: Readonly<{ port: number | undefined; token: string | undefined }>
  /** Absent: nothing is sent to a collector, and nothing for it is loaded. */
  telemetry: TelemetrySettings | undefined
  /** Requests per window: of a caller, a stranger's address, a caller on a guarded operation, and ours to an unproven host. */
  rateLimits: Readonly<{
    windowMs: number
    perCredential: number
    perAddress: number
    tight: number
    unprovenWebhooks: number
  }>
}>

/** Names every bad or missing variable at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'PUBLIC_URL'] as const

const S3_REQUIRED = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

// All or nothing: half a configuration would only fail at the first upload.
const s3Faults = (environment: Environment): string[] => {
  if (environment.DOCUMENT_STORAGE === 's3') {
    const missing = S3_REQUIRED.filter((name) => environment[name] === undefined)
    return missing.map((name) => `${name}: must be set when DOCUMENT_STORAGE is s3`)
  }
  const idle = [...S3_REQUIRED, 'S3_ENDPOINT'].filter((name) => environment[name] !== undefined)
  return idle.map((name) => `${name}: needs DOCUMENT_STORAGE to be s3`)
}

const documentStorageOf = (data: Variables, dataDir: string): DocumentStorageConfig => {
  if (data.DOCUMENT_STORAGE === 'local') return Object.freeze({ kind: 'local', folder: join(dataDir, 'documents') })
  return Object.freeze({
    kind: 's3',
    bucket: data.S3_BUCKET ?? '',
    region: data.S3_REGION ?? '',
    endpoint: data.S3_ENDPOINT,
    accessKeyId: data.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: data.S3_SECRET_ACCESS_KEY ?? '',
  })
}

// Servers refuse mails from addresses that are not theirs, so that none can be made up.
const mailFaults = ({ SMTP_URL, MAIL_FROM }: Environment): string[] =>
  SMTP_URL !== undefined && MAIL_FROM === undefined ? ['MAIL_FROM: must be set when SMTP_URL is'] : []

const NOBODY: MailSender = Object.freeze({ name: 'Payment platform', address: 'no-reply@example.com' })

const mailOf = ({ SMTP_URL: server, MAIL_FROM: from = NOBODY, NODE_ENV }: Variables, dataDir: string): MailConfig => {
  if (server !== undefined) return Object.freeze({ kind: 'smtp', server, from })
  if (NODE_ENV === 'production') return Object.freeze({ kind: 'kept', from })
  return Object.freeze({ kind: 'folder', folder: join(dataDir, 'mail'), from })
}

const faultsOf = (parsed: ReturnType<typeof variables.safeParse>, environment: Environment): string[] => {
  const broken = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const isProduction = environment.NODE_ENV === 'production'
  const missing = isProduction ? REQUIRED_IN_PRODUCTION.filter((name) => environment[name] === undefined) : []
  return [
    ...broken,
    ...s3Faults(environment),
    ...mailFaults(environment),
    ...missing.map((name) => `${name}: must be set in production`),
    ...(isProduction ? productionFaults(environment) : []),
    // What is no name of a provider is said above.
    ...(parsed.success ? providerFaults(parsed.data, isProduction) : missingProvider(environment, isProduction)),
  ]
}

const secondFactorOf = ({ NODE_ENV, SECOND_FACTOR_REQUIRED }: Variables): Config['secondFactor'] => {
  const asked = SECOND_FACTOR_REQUIRED ?? (NODE_ENV === 'production' ? ['admins'] : [])
  return Object.freeze({ admins: asked.includes('admins'), withdrawals: asked.includes('withdrawals') })
}

// Any free one where the platform itself takes any.
const portBeside = (port: number): number => (port === 0 || port === 65_535 ? 0 : port + 1)

type Environment = Readonly<Record<string, string | undefined>>

const shutdownGraceMsOf = ({ SHUTDOWN_GRACE_SECONDS, NODE_ENV }: Variables): number =>
  (SHUTDOWN_GRACE_SECONDS ?? (NODE_ENV === 'production' ? GRACE_IN_PRODUCTION_SECONDS : 0)) * 1_000

/**
 * Reads the environment. Outside production everything has a default; in production nothing that matters has one.
 * Throws ConfigError with one line per fault, and DataFolderError where secrets cannot be kept.
 */
export const loadConfig = (environment: Environment = process.env): Config => {
  // An empty variable is an unset one: that is what `NAME=` in a .env file means to people.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  const faults = faultsOf(parsed, given)
  if (faults.length > 0 || !parsed.success)
    throw new ConfigError(`The configuration has faults:\n  ${faults.join('\n  ')}`)
  const { data } = parsed
  const dataDir = resolve(data.DATA_DIR)
  const production = data.NODE_ENV === 'production'
  return Object.freeze({
    production,
    host: data.HOST,
    port: data.PORT,
    databaseUrl: data.DATABASE_URL,
    replicaUrl: data.DATABASE_REPLICA_URL,
    poolMax: data.DATABASE_POOL_MAX,
    jwtSecret: data.JWT_SECRET ?? keptSecret(dataDir, 'jwt-secret'),
    encryptionKey: data.ENCRYPTION_KEY ?? keptSecret(dataDir, 'encryption-key'),
    secondFactor: secondFactorOf(data),
    publicUrl: data.PUBLIC_URL,
    admin: Object.freeze({ email: data.ADMIN_EMAIL ?? 'admin@example.com', password: data.ADMIN_PASSWORD }),
    dataDir,
    documentStorage: documentStorageOf(data, dataDir),
    mail: mailOf(data, dataDir),
    logLevel: data.LOG_LEVEL,
    providers: providersConfigOf(data, production),
    sandboxCardFields: Object.freeze({
      port: data.SANDBOX_CARD_FIELDS_PORT ?? portBeside(data.PORT),
      url: data.SANDBOX_CARD_FIELDS_URL,
    }),
    role: data.PROCESS_ROLE,
    shutdownGraceMs: shutdownGraceMsOf(data),
    webhookNetworks: {
      allowedNetworks: data.WEBHOOK_ALLOWED_NETWORKS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
      deniedNetworks: data.WEBHOOK_DENIED_NETWORKS,
    },
    trustedProxies: data.TRUSTED_PROXIES,
    corsOrigins: data.CORS_ORIGINS,
    metrics: Object.freeze({ port: data.METRICS_PORT, token: data.METRICS_TOKEN }),
    telemetry: telemetrySettings(data),
    rateLimits: Object.freeze({
      windowMs: MINUTE_MS,
      perCredential: data.RATE_LIMIT_PER_MINUTE,
      perAddress: data.RATE_LIMIT_PER_ADDRESS_PER_MINUTE,
      tight: data.RATE_LIMIT_TIGHT_PER_MINUTE,
      unprovenWebhooks: data.RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE,
    }),
  })
}
