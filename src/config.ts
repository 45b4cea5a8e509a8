import { resolve } from 'node:path'
import { z } from 'zod'
import {
  type DocumentStorageConfig,
  documentStorageFaults,
  documentStorageOf,
  documentStorageVariables,
} from './config/document-storage.ts'
import { type MailConfig, mailFaults, mailOf, mailVariables } from './config/mail.ts'
import { type PeopleConfig, peopleConfigOf, peopleVariables } from './config/people.ts'
import { plainConnections } from './config/plain-connections.ts'
import { productionFaults } from './config/production.ts'
import {
  missingProvider,
  type ProvidersConfig,
  providerFaults,
  providersConfigOf,
  providerVariables,
} from './config/providers.ts'
import { type ServerTlsConfig, serverTlsFaults, serverTlsOf, serverTlsVariables } from './config/server-tls.ts'
import { type TelemetrySettings, telemetrySettings, telemetryVariables } from './config/telemetry.ts'
import {
  databaseUrl,
  httpUrl,
  networkList,
  publicUrl,
  replicaUrl,
  secretList,
  textList,
  trueOrFalse,
  wholeNumber,
} from './config/value-types.ts'
import { keptSecret } from './kept-secret.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const PROCESS_ROLES = ['all', 'api', 'worker'] as const

const MINUTE_MS = 60_000
/** In production: two checks of most balancers, one second apart, and a third. */
const GRACE_IN_PRODUCTION_SECONDS = 5

const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).max(255).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  ...serverTlsVariables,
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: replicaUrl.optional(),
  DATABASE_POOL_MAX: wholeNumber(2, 500).default(20),
  JWT_SECRET: secretList.optional(),
  ENCRYPTION_KEY: secretList.optional(),
  ...peopleVariables,
  PUBLIC_URL: publicUrl.optional(),
  CHECKOUT_TERMS_URL: httpUrl.optional(),
  CHECKOUT_PRIVACY_URL: httpUrl.optional(),
  ADMIN_EMAIL: z.email().max(254).optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  DATA_DIR: z.string().min(1).max(1_000).default('.data'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  ...providerVariables,
  SANDBOX_CARD_FIELDS_PORT: wholeNumber(0, 65_535).optional(),
  SANDBOX_CARD_FIELDS_URL: publicUrl.optional(),
  PROCESS_ROLE: z.enum(PROCESS_ROLES).default('all'),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 300).optional(),
  WEBHOOK_ALLOWED_NETWORKS: networkList.optional(),
  WEBHOOK_DENIED_NETWORKS: networkList.default([]),
  WEBHOOK_ALLOW_HTTP: trueOrFalse.optional(),
  TRUSTED_PROXIES: networkList.default([]),
  CORS_ORIGINS: textList.default([]),
  ALLOW_PERSONAL_DATA_IN_URLS: trueOrFalse.optional(),
  ...documentStorageVariables,
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_TOKEN: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  ...telemetryVariables,
  ...mailVariables,
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_TIGHT_PER_MINUTE: wholeNumber(1, 10_000_000).default(60),
  RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: wholeNumber(1, 10_000_000).default(30),
})

type Variables = z.output<typeof variables>

export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape)

/** Everything the processes are told from outside. Read once, frozen. */
export type Config = Readonly<{
  production: boolean
  host: string
  port: number
  /** The server's own certificate, where TLS reaches up to it. */
  tls: ServerTlsConfig
  /** Absent: the platform starts its own Postgres under `dataDir`. */
  databaseUrl: string | undefined
  replicaUrl: string | undefined
  poolMax: number
  /** Signs access tokens. Those that an older one signed are good, too. */
  jwtSecret: string
  olderJwtSecrets: readonly string[]
  /** Seals secrets at rest. What an older one sealed can be opened, too. Newest first. */
  encryptionKey: string
  olderEncryptionKeys: readonly string[]
  people: PeopleConfig
  /** Absent: the address that the server listens on. */
  publicUrl: string | undefined
  /** What the checkout leads to at its foot; undefined: nothing. */
  legalPages: { termsUrl: string | undefined; privacyUrl: string | undefined }
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
  /** CIDRs that webhooks reach although they are not public, and never although they are; and whether without TLS. */
  webhookTargets: Readonly<{
    allowedNetworks: readonly string[]
    deniedNetworks: readonly string[]
    allowHttp: boolean
  }>
  trustedProxies: readonly string[]
  corsOrigins: readonly string[]
  /** The variables that have a process speak in clear with another machine. */
  plainConnections: readonly string[]
  /** Whether what is searched for may tell who somebody is also where it stands in the URL. */
  allowPersonalDataInUrls: boolean
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

const faultsOf = (parsed: ReturnType<typeof variables.safeParse>, environment: Environment): string[] => {
  const broken = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const isProduction = environment.NODE_ENV === 'production'
  const missing = isProduction ? REQUIRED_IN_PRODUCTION.filter((name) => environment[name] === undefined) : []
  return [
    ...broken,
    ...documentStorageFaults(environment),
    ...mailFaults(environment),
    ...serverTlsFaults(environment),
    ...missing.map((name) => `${name}: must be set in production`),
    ...(isProduction ? productionFaults(environment) : []),
    // What is no name of a provider is said above.
    ...(parsed.success ? providerFaults(parsed.data, isProduction) : missingProvider(environment, isProduction)),
  ]
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
  const [jwtSecret = keptSecret(dataDir, 'jwt-secret'), ...olderJwtSecrets] = data.JWT_SECRET ?? []
  const [encryptionKey = keptSecret(dataDir, 'encryption-key'), ...olderEncryptionKeys] = data.ENCRYPTION_KEY ?? []
  return Object.freeze({
    production,
    host: data.HOST,
    port: data.PORT,
    tls: serverTlsOf(data),
    databaseUrl: data.DATABASE_URL,
    replicaUrl: data.DATABASE_REPLICA_URL,
    poolMax: data.DATABASE_POOL_MAX,
    jwtSecret,
    olderJwtSecrets,
    encryptionKey,
    olderEncryptionKeys,
    people: peopleConfigOf(data, production),
    publicUrl: data.PUBLIC_URL,
    legalPages: { termsUrl: data.CHECKOUT_TERMS_URL, privacyUrl: data.CHECKOUT_PRIVACY_URL },
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
    webhookTargets: {
      allowHttp: data.WEBHOOK_ALLOW_HTTP ?? !production,
      allowedNetworks: data.WEBHOOK_ALLOWED_NETWORKS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
      deniedNetworks: data.WEBHOOK_DENIED_NETWORKS,
    },
    trustedProxies: data.TRUSTED_PROXIES,
    corsOrigins: data.CORS_ORIGINS,
    plainConnections: plainConnections(given),
    allowPersonalDataInUrls: data.ALLOW_PERSONAL_DATA_IN_URLS ?? !production,
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
