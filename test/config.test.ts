import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../src/config.ts'

const ROOT = join(import.meta.dirname, '..')

let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'))
})

afterAll(() => rmSync(dataDir, { recursive: true }))

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://platform:hush@db.internal:5432/platform',
  JWT_SECRET: 'j'.repeat(32),
  ENCRYPTION_KEY: 'e'.repeat(32),
  PUBLIC_URL: 'https://pay.example.com/',
  PROVIDER: 'sandbox',
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
  const declared = /const variables = z\.object\(\{\n([\s\S]*?)\n\}\)/.exec(
    readFileSync(join(ROOT, 'src/config.ts'), 'utf8'),
  )
  const known = [...(declared?.[1] ?? '').matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name)
  const example = Object.keys(parseEnv(readFileSync(join(ROOT, '.env.example'), 'utf8')))
  expect(known.length).toBeGreaterThan(15)
  expect(example.sort()).toEqual(known.sort())
})

test('.env.example shows the defaults of development', () => {
  const example = parseEnv(readFileSync(join(ROOT, '.env.example'), 'utf8'))
  expect(loadConfig({ ...example, DATA_DIR: dataDir })).toEqual(loadConfig({ DATA_DIR: dataDir }))
})

test('development needs nothing, and its secrets outlive a restart', () => {
  const first = loadConfig({ DATA_DIR: dataDir })
  expect(first).toMatchObject({ production: false, host: '127.0.0.1', port: 3000, provider: 'sandbox', role: 'all' })
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

test('production lets webhooks reach public addresses only', () => {
  const config = loadConfig(PRODUCTION)
  expect(config.webhookAllowedNetworks).toEqual([])
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
