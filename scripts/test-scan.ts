import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { isInstalled, once, run } from '../test/interop/place.ts'
import type { TestApp } from '../test/support/app.ts'
import { createCustomer } from '../test/support/customers.ts'
import { adminToken, approvedSeller } from '../test/support/factories.ts'
import { createLink } from '../test/support/payment-links.ts'
import { createPayment } from '../test/support/payments.ts'
import { startTestServer } from '../test/support/postgres-server.ts'
import { startServer } from '../test/support/server-process.ts'
import { verifyEverybody } from '../test/support/verified-people.ts'

// Somebody else's scanner, Schemathesis, goes over a really started server by what its document promises: no 500, no status,
// header or body that the document does not have, no bad input taken, no operation without its token.
const SCANNER = 'schemathesis==4.32.5'
const SCANNER_SECONDS = 75
const ADMIN = { email: 'admin@example.com', password: 'uma senha bem comprida 77' }
const NO_LIMIT = '1000000'

/** What would end the scanner's own session or account: it finds the ids of both. And a stream has no end. */
const LEFT_OUT = [
  'logout',
  'endSession',
  'deleteUser',
  'deleteMember',
  'updateMember',
  'updatePassword',
  'removeTeamMember',
  'updateTeamMember',
  'beginTotp',
  'confirmTotp',
  'advanceSandboxClock',
  'watchLinkPayment',
]

/**
 * Without what a business rule decides: a valid body may be refused for a reason that no schema holds. And without the answers
 * to other methods, which test/http has: where `/team/invitations` stands beside `/team/{userId}`, it expects 405 of both.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'ignored_auth',
]

/** A body that is too long is refused before anybody looks into it. */
const CONFIGURATION = `[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
`

/** What a machine lacks is said, and where the whole is asked for it is a failure. */
const isRequired = process.env.CI !== undefined || process.env.INTEROP === 'required'
/** Kept between runs. */
const scratch = join(tmpdir(), 'payment-platform-scan')

const scanner = (): string => {
  once(scratch, () => run('python3', ['-m', 'venv', scratch]))
  run(join(scratch, 'bin', 'pip'), ['install', '--quiet', SCANNER])
  writeFileSync(join(scratch, 'schemathesis.toml'), CONFIGURATION)
  return join(scratch, 'bin', 'schemathesis')
}

type Scan = { name: string; token: string; paths: readonly string[] }

const scan = async (command: string, url: string, { name, token, paths }: Scan, known: readonly string[]) => {
  const leftOut = LEFT_OUT.filter((id) => known.includes(id)).flatMap((id) => ['--exclude-operation-id', id])
  const args = [
    '--config-file',
    join(scratch, 'schemathesis.toml'),
    'run',
    `${url}/openapi.json`,
    '--header',
    `Authorization: Bearer ${token}`,
    ...paths,
    ...leftOut,
  ]
  const bounds = [
    '--phases',
    'examples,coverage,fuzzing',
    '--max-time',
    String(SCANNER_SECONDS),
    '--max-examples',
    '10',
  ]
  const output = ['--seed', '17', '--continue-on-failure', '--warnings', 'off', '--no-color']
  const child = spawn(command, [...args, ...bounds, ...output, '--checks', CHECKS.join(',')], {
    cwd: scratch,
    stdio: 'inherit',
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  console.log(code === 0 ? `${name}: nothing found` : `!! ${name}: the scanner has findings`)
  return code === 0
}

const stillIn = async (url: string, { name, token }: Scan, path: string): Promise<boolean> => {
  const { status } = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (status !== 200) console.log(`!! ${name}: its token was no longer good, so that little was tried`)
  return status === 200
}

const scanAll = async (): Promise<boolean> => {
  const command = scanner()
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-scan-data-'))
  const postgres = await startTestServer()
  const server = await startServer({
    environment: {
      DATABASE_URL: postgres.adminUrl,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_TIGHT_PER_MINUTE: NO_LIMIT,
    },
  })
  const sql = new Client({ connectionString: postgres.adminUrl })
  await sql.connect()
  try {
    await verifyEverybody(sql)
    // Of what a test has in its own process, the three things that making a seller with some business needs.
    const app = { api: server.api, sql, config: { admin: ADMIN } } as unknown as TestApp
    const seller = await approvedSeller(app)
    await createPayment(app, seller, { customerId: (await createCustomer(app, seller)).id })
    await createLink(app, seller)
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, object> }
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const known = operations.map(({ operationId }: { operationId?: string }) => operationId ?? '')
    const unknown = LEFT_OUT.filter((id) => !known.includes(id))
    if (unknown.length > 0) throw new Error(`no operation is called ${unknown.join(', ')}`)
    const sellers: Scan = { name: 'a seller', token: seller.token, paths: ['--exclude-path-regex', '/admin/'] }
    const admins: Scan = {
      name: 'an administrator',
      token: await adminToken(app),
      paths: ['--include-path-regex', '/admin/'],
    }
    const found = [
      await scan(command, server.url, sellers, known),
      await stillIn(server.url, sellers, 'balance'),
      await scan(command, server.url, admins, known),
      await stillIn(server.url, admins, 'admin/payments'),
    ]
    return found.every(Boolean)
  } finally {
    await sql.end()
    await server.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (!isInstalled('python3') && !isRequired) console.log('!! NOT scanned: python3 is missing here.')
else if (!(await scanAll())) process.exitCode = 1
