import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const PROCESS_ROLES = ['all', 'api', 'worker'] as const
const DOCUMENT_STORAGES = ['local', 's3'] as const
const PROVIDERS = ['sandbox'] as const

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

const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) URL')

const databaseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), 'must be a postgres:// URL')

const publicUrl = httpUrl.transform((text) => text.replace(/\/+$/, ''))

const MINUTE_MS = 60_000
const SECRET_BYTES = 48

const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).max(255).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_POOL_MAX: wholeNumber(2, 500).default(20),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  ENCRYPTION_KEY: z.string().min(32, 'must have at least 32 characters').max(1_000).optional(),
  PUBLIC_URL: publicUrl.optional(),
  ADMIN_EMAIL: z.email().max(254).optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  DATA_DIR: z.string().min(1).max(1_000).default('.data'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  PROVIDER: z.enum(PROVIDERS).optional(),
  SANDBOX_CARD_FIELDS_PORT: wholeNumber(0, 65_535).optional(),
  SANDBOX_CARD_FIELDS_URL: publicUrl.optional(),
  PROCESS_ROLE: z.enum(PROCESS_ROLES).default('all'),
  WEBHOOK_ALLOWED_NETWORKS: networkList.optional(),
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
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  RATE_LIMIT_TIGHT_PER_MINUTE: wholeNumber(1, 10_000_000).default(60),
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
  /** Absent: the address that the server listens on. */
  publicUrl: string | undefined
  admin: Readonly<{ email: string; password: string | undefined }>
  dataDir: string
  documentStorage: DocumentStorageConfig
  logLevel: Variables['LOG_LEVEL']
  provider: (typeof PROVIDERS)[number]
  /** The card fields of the sandbox. `url` absent: the port under the platform's own host name. */
  sandboxCardFields: Readonly<{ port: number; url: string | undefined }>
  role: Variables['PROCESS_ROLE']
  webhookAllowedNetworks: readonly string[]
  trustedProxies: readonly string[]
  corsOrigins: readonly string[]
  /** Requests per window: of a caller, of an address that did not say who it is, and of a caller on a guarded operation. */
  rateLimits: Readonly<{ windowMs: number; perCredential: number; perAddress: number; tight: number }>
}>

/** Names every bad or missing variable at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'PUBLIC_URL', 'PROVIDER'] as const

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

const faultsOf = (parsed: ReturnType<typeof variables.safeParse>, environment: Environment): string[] => {
  const broken = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const faults = [...broken, ...s3Faults(environment)]
  if (environment.NODE_ENV !== 'production') return faults
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => environment[name] === undefined)
  return [...faults, ...missing.map((name) => `${name}: must be set in production`)]
}

// Any free one where the platform itself takes any.
const portBeside = (port: number): number => (port === 0 || port === 65_535 ? 0 : port + 1)

type Environment = Readonly<Record<string, string | undefined>>

// A secret of development is made once and kept, so that tokens and sealed secrets outlive a restart.
const keptSecret = (dataDir: string, name: string): string => {
  const file = join(dataDir, name)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 })
    // Linking is all or nothing: of two processes that start together, both go on with the secret of the first.
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft)
    }
  }
  return readFileSync(file, 'utf8')
}

/**
 * Reads the environment. Outside production everything has a default; in production nothing that matters has one.
 * Throws ConfigError with one line per fault.
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
    publicUrl: data.PUBLIC_URL,
    admin: Object.freeze({ email: data.ADMIN_EMAIL ?? 'admin@example.com', password: data.ADMIN_PASSWORD }),
    dataDir,
    documentStorage: documentStorageOf(data, dataDir),
    logLevel: data.LOG_LEVEL,
    provider: data.PROVIDER ?? 'sandbox',
    sandboxCardFields: Object.freeze({
      port: data.SANDBOX_CARD_FIELDS_PORT ?? portBeside(data.PORT),
      url: data.SANDBOX_CARD_FIELDS_URL,
    }),
    role: data.PROCESS_ROLE,
    webhookAllowedNetworks: data.WEBHOOK_ALLOWED_NETWORKS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
    trustedProxies: data.TRUSTED_PROXIES,
    corsOrigins: data.CORS_ORIGINS,
    rateLimits: Object.freeze({
      windowMs: MINUTE_MS,
      perCredential: data.RATE_LIMIT_PER_MINUTE,
      perAddress: data.RATE_LIMIT_PER_ADDRESS_PER_MINUTE,
      tight: data.RATE_LIMIT_TIGHT_PER_MINUTE,
    }),
  })
}
