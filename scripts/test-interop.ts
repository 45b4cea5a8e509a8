import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { CLIENTS, type InteropClient } from '../test/interop/clients.ts'
import { isInstalled, openPlace } from '../test/interop/place.ts'
import { companyBody } from '../test/support/company.ts'
import { newEmail } from '../test/support/factories.ts'
import { startTestServer } from '../test/support/postgres-server.ts'
import { type ServerProcess, startServer } from '../test/support/server-process.ts'
import { verifyEverybody } from '../test/support/verified-people.ts'

// Generated clients walk the main job against a really started server: with names as arguments only those.
const ADMIN = { email: 'admin@example.com', password: 'uma senha bem comprida 77' }
const PASSWORD = 'dois cafés e um pão na chapa'

const EXPECTED = {
  available: 9_901,
  withdrawal: 'completed',
  scope: 'payments:read',
  listed: ['paid', 10_000],
  refused: 'payment.not_found',
}

/** What a machine lacks is said, and where the whole is asked for it is a failure. */
const isRequired = process.env.CI !== undefined || process.env.INTEROP === 'required'
/** Kept between runs: what the clients' generators are installed in. */
const scratch = join(tmpdir(), 'payment-platform-interop')

const input = ({ url }: ServerProcess) => ({
  baseUrl: url,
  admin: ADMIN,
  person: { email: newEmail(), password: PASSWORD, name: 'Maria da Silva', companyName: 'Padaria da Maria' },
  company: companyBody(),
})

const walk = ({ name, walk: go }: InteropClient, server: ServerProcess, document: string): string | undefined => {
  try {
    const outcome: unknown = JSON.parse(go(openPlace(scratch, name, document, input(server))))
    return isDeepStrictEqual(outcome, EXPECTED) ? undefined : `it found ${JSON.stringify(outcome)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const chosen = CLIENTS.filter(({ name }) => process.argv.length < 3 || process.argv.includes(name))
const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-interop-data-'))
const postgres = await startTestServer()
const server = await startServer({
  environment: {
    DATABASE_URL: postgres.adminUrl,
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_TIGHT_PER_MINUTE: '1000',
    RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: '1000000',
  },
})
const client = new Client({ connectionString: postgres.adminUrl })
await client.connect()
await verifyEverybody(client).finally(() => client.end())
const counts = { passed: 0, failed: 0, missing: 0 }
try {
  const document = await (await fetch(`${server.url}/openapi.json`)).text()
  for (const client of chosen) {
    const missing = client.needs.filter((tool) => !isInstalled(tool))
    const fault =
      missing.length > 0 ? `${missing.join(' and ')} MISSING on this machine` : walk(client, server, document)
    const state = fault === undefined ? 'passed' : missing.length > 0 && !isRequired ? 'missing' : 'failed'
    counts[state] += 1
    console.log(fault === undefined ? `${client.name}: walked the main job` : `!! ${client.name}: ${fault}`)
  }
} finally {
  await server.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
if (counts.missing > 0) console.log(`!! ${counts.missing} clients were NOT tried: their tools are missing here.`)
console.log(`${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
