import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ConfigError, loadConfig, VARIABLE_NAMES } from '../src/config.ts'

const ROOT = join(import.meta.dirname, '..')

let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'))
})

afterAll(() => rmSync(dataDir, { recursive: true }))

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://platform:hush@db.internal:5432/platform',
  JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
  ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
  PUBLIC_URL: 'https://pay.example.com/',
  PROVIDER: 'sandbox',
  ALLOW_SANDBOX: 'true',
}

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    throw error
  }
  return []
}

test('.env.example is accepted as it is', () => {
  const example = parseEnv(readFileSync(join(ROOT, '.env.example'), 'utf8'))
  expect(() => loadConfig({ ...example, DATA_DIR: dataDir })).not.toThrow()
})

test('.env.example explains every variable, and none that does not exist', () => {
  const example = Object.keys(parseEnv(readFileSync(join(ROOT, '.env.example'), 'utf8')))
  expect(VARIABLE_NAMES.length).toBeGreaterThan(15)
  expect(example.sort()).toEqual([...VARIABLE_NAMES].sort())
})

test('.env.example shows the defaults of development', () => {
  const example = parseEnv(readFileSync(join(ROOT, '.env.example'), 'utf8'))
  expect(loadConfig({ ...example, DATA_DIR: dataDir })).toEqual(loadConfig({ DATA_DIR: dataDir }))
})

test('development needs nothing, and its secrets outlive a restart', () => {
  const first = loadConfig({ DATA_DIR: dataDir })
  expect(first).toMatchObject({ production: false, host: '127.0.0.1', port: 3000, role: 'all' })
  expect(first.jwtSecret.length).toBeGreaterThanOrEqual(32)
  expect(first.encryptionKey).not.toBe(first.jwtSecret)
  expect(loadConfig({ DATA_DIR: dataDir })).toEqual(first)
})

test('production defaults nothing that matters, and names everything that is missing at once', () => {
  expect(faultsOf({ NODE_ENV: 'production' })).toEqual([
    'DATABASE_URL: must be set in production',
    'JWT_SECRET: must be set in production',
    'ENCRYPTION_KEY: must be set in production',
    'PUBLIC_URL: must be set in production',
    'PROVIDER: must be set in production',
  ])
})

test('a second factor is asked of everybody in production, unless it is said otherwise', () => {
  const ruleOf = (environment: Record<string, string>) => loadConfig(environment).people.secondFactor
  expect(ruleOf(PRODUCTION)).toEqual({ admins: true, sellers: true, withdrawals: false })
  expect(ruleOf({ DATA_DIR: dataDir })).toEqual({ admins: false, sellers: false, withdrawals: false })
  expect(ruleOf({ ...PRODUCTION, SECOND_FACTOR_REQUIRED: 'none' })).toEqual({
    admins: false,
    sellers: false,
    withdrawals: false,
  })
  expect(ruleOf({ ...PRODUCTION, SECOND_FACTOR_REQUIRED: 'admins, withdrawals' })).toEqual({
    admins: true,
    sellers: false,
    withdrawals: true,
  })
  expect(faultsOf({ ...PRODUCTION, SECOND_FACTOR_REQUIRED: 'everybody' })).toHaveLength(1)
})

const EVERYTHING_BY = (name: string) => ({ pix: name, boleto: name, credit_card: name, payouts: name })

test('the sandbox serves everything where nothing is said, and nothing in production unless it is allowed', () => {
  expect(loadConfig({ DATA_DIR: dataDir }).providers).toEqual({
    routes: EVERYTHING_BY('sandbox'),
    sandbox: { isAllowed: true, isRouted: true },
    pix: undefined,
  })
  expect(faultsOf({ ...PRODUCTION, ALLOW_SANDBOX: '' })).toEqual([
    expect.stringMatching('^ALLOW_SANDBOX: must be true'),
  ])
  expect(loadConfig(PRODUCTION).providers.routes).toEqual(EVERYTHING_BY('sandbox'))
})

const PIX = {
  PIX_PROVIDER: 'efi',
  PIX_CLIENT_ID: 'client',
  PIX_CLIENT_SECRET: 'hush',
  PIX_CERTIFICATE_FILE: '/certificates/efi.p12',
  PIX_KEY: 'pix@example.com',
  PIX_CALLBACK_SECRET: 'c'.repeat(32),
}

test('a Pix account serves Pix, pays out where it can, and leaves the rest to nobody', () => {
  const live = { ...PRODUCTION, ...PIX, PROVIDER: '', ALLOW_SANDBOX: '' }
  expect(loadConfig(live).providers).toMatchObject({
    routes: { pix: 'efi', payouts: 'efi' },
    sandbox: { isAllowed: false, isRouted: false },
    pix: { profile: 'efi', certificate: { file: '/certificates/efi.p12', password: '' } },
  })
  const bounds = { PIX_CONNECTIONS_MAX: '32', PIX_CALLS_PER_SECOND: '900' }
  expect(loadConfig({ ...live, ...bounds }).providers.pix).toMatchObject({
    ...{ limits: { connectionsMax: 32 }, budget: { perSecond: 900, burst: 900 } },
  })
  expect(loadConfig({ ...live, PIX_PROVIDER: 'inter' }).providers.routes).toEqual({ pix: 'inter' })
  expect(loadConfig({ ...live, PIX_PROVIDER: '', PROVIDER: 'efi' }).providers.routes).toEqual({
    pix: 'efi',
    payouts: 'efi',
  })
  const mixed = { ...live, CARD_PROVIDER: 'sandbox' }
  expect(faultsOf(mixed)).toEqual([expect.stringMatching('^ALLOW_SANDBOX: must be true')])
})

test.each([
  [{ PAYOUT_PROVIDER: 'inter' }, 'PAYOUT_PROVIDER: inter does not serve this'],
  [{ BOLETO_PROVIDER: 'efi' }, 'BOLETO_PROVIDER: efi does not serve this'],
  [{ PIX_PROVIDER: 'inter', PAYOUT_PROVIDER: 'efi' }, 'PIX_PROVIDER: inter and efi are two accounts'],
  [{ PIX_KEY: '' }, 'PIX_KEY: must be set for the provider efi'],
  [{ PIX_CLIENT_SECRET: '' }, 'PIX_CLIENT_SECRET: must be set for the provider efi'],
  [
    { PIX_PROVIDER: 'generic', PIX_TOKEN_URL: 'https://bank.example' },
    'PIX_API_URL: must be set for the provider generic',
  ],
  [{ PIX_CALLBACK_SECRET: 'short' }, 'PIX_CALLBACK_SECRET: must have at least 32'],
])('a Pix account that cannot work is refused in one line: %o', (changes, fault) => {
  expect(faultsOf({ DATA_DIR: dataDir, ...PIX, ...changes })).toEqual([expect.stringContaining(fault)])
})

test('the compose file serves no simulated money unless somebody asks for it', () => {
  const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'))
  const given: Record<string, string> = {
    JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
    ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
    POSTGRES_PASSWORD: 'hush',
    DATA_DIR: dataDir,
  }
  const resolved = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(services.platform.environment as Record<string, string>).map(([name, text]) => [
        name,
        text.replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, variable: string, rest: string) => values[variable] || rest),
      ]),
    )
  const environment = (values: Record<string, string>) => ({
    NODE_ENV: 'production',
    ...resolved({ ...given, ...values }),
  })
  expect(faultsOf(environment({}))).toEqual(['PROVIDER: must be set in production'])
  expect(faultsOf(environment({ PROVIDER: 'sandbox' }))).toEqual([expect.stringMatching('^ALLOW_SANDBOX: ')])
  expect(faultsOf(environment({ PROVIDER: 'sandbox', ALLOW_SANDBOX: 'true' }))).toEqual([])
  expect(faultsOf(environment(PIX))).toEqual([])
  const passedOn = Object.keys(services.platform.environment)
  expect(VARIABLE_NAMES.filter((name) => name.startsWith('PIX_') && !passedOn.includes(name))).toEqual([])
})

test('production lets webhooks reach public addresses only', () => {
  const config = loadConfig(PRODUCTION)
  expect(config.webhookTargets).toEqual({ allowedNetworks: [], deniedNetworks: [], allowHttp: false })
  expect(config.publicUrl).toBe('https://pay.example.com')
})

test('an empty variable counts as unset, in production too', () => {
  expect(faultsOf({ ...PRODUCTION, JWT_SECRET: '' })).toEqual(['JWT_SECRET: must be set in production'])
})

test.each([
  ['PORT', '70000'],
  ['PORT', '3000.5'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_URL', 'postgres://me:hush@a:5432,:5433/db'],
  ['DATABASE_URL', 'postgres://a,b/db?target_session_attrs=standby'],
  ['DATABASE_REPLICA_URL', 'postgres://a,b/db'],
  ['DATABASE_POOL_MAX', '1'],
  ['JWT_SECRET', 'short'],
  ['PUBLIC_URL', 'pay.example.com'],
  ['ADMIN_EMAIL', 'nobody'],
  ['ADMIN_PASSWORD', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['PROVIDER', 'piggy_bank'],
  ['PROCESS_ROLE', 'both'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['WEBHOOK_ALLOWED_NETWORKS', 'localhost'],
  ['WEBHOOK_DENIED_NETWORKS', '203.0.113.0'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['NODE_ENV', 'prod'],
])('%s=%s is refused by its name', (name, value) => {
  expect(faultsOf({ DATA_DIR: dataDir, [name]: value })).toEqual([expect.stringMatching(`^${name}: `)])
})

test('all faults are named at once, and no secret is quoted', () => {
  const faults = faultsOf({ ...PRODUCTION, PORT: 'x', JWT_SECRET: 'hush', LOG_LEVEL: 'loud', PROVIDER: '' })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'JWT_SECRET', 'LOG_LEVEL', 'PROVIDER'])
  expect(faults.join()).not.toContain('hush')
})

test('the configuration cannot be changed afterwards', () => {
  const config = loadConfig({ DATA_DIR: dataDir })
  expect(Object.isFrozen(config)).toBe(true)
  expect(Object.isFrozen(config.rateLimits)).toBe(true)
})

test('secrets may be lists, newest first, of which each must be a good one', () => {
  const [older, newer] = [PRODUCTION.JWT_SECRET, PRODUCTION.ENCRYPTION_KEY]
  const both = `${newer}, ${older}`
  expect(loadConfig({ ...PRODUCTION, JWT_SECRET: both, ENCRYPTION_KEY: both })).toMatchObject({
    jwtSecret: newer,
    olderJwtSecrets: [older],
    encryptionKey: newer,
    olderEncryptionKeys: [older],
  })
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
    expect(faultsOf({ ...PRODUCTION, [name]: `${newer},short` })).toEqual([`${name}: must have at least 32 characters`])
    expect(faultsOf({ ...PRODUCTION, [name]: `${newer},${'x'.repeat(32)}` })).toEqual([
      expect.stringContaining(`${name}: must be random`),
    ])
  }
})
