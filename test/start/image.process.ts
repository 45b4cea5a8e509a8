import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { containerEngineAnswers } from '../support/container-engine.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { createImageTree, documentedScripts, readDockerfile } from '../support/image.ts'

const MINUTE_MS = 60_000
const IMAGE = 'postgres:18'
const APP = '/app'
const ADMIN = 'admin@example.com'

type Result = { code: number; output: string }
/** Runs a line of shell where the files of the image are. */
type Run = (line: string) => Promise<Result>

/** What shows that a script did its work, in the order in which they are run. */
const PROVES: Readonly<Record<string, { args?: string[]; prints: string; runsOn?: true; code?: number }>> = {
  'db:migrate': { prints: 'The database is up to date.' },
  start: { prints: 'the API is at ', runsOn: true },
  worker: { prints: 'the jobs run', runsOn: true },
  'admin:password': { args: [ADMIN], prints: `The new password of ${ADMIN}: ` },
  'ledger:verify': { prints: 'The ledger is proven' },
  'totals:verify': { prints: 'The totals are proven' },
  // Of the embedded Postgres, which an image has not: they run far enough to say so.
  backup: { args: ['/tmp/backup'], prints: 'npm run backup is for the embedded Postgres', code: 1 },
  restore: { prints: 'Usage: npm run restore', code: 1 },
}

const engine = await containerEngineAnswers()
if (!engine) {
  process.stderr.write(
    'NO CONTAINER ENGINE ANSWERS: the commands of the image are run beside its files, not in a container.\n',
  )
}

let parent: string
let tree: string
let database: TestDatabase
let container: StartedTestContainer | undefined

const secrets = {
  JWT_SECRET: 'Yf3nq0Tz7Kc1Vw8Rb5Xm2Ld9Hs4Gp6Ja',
  ENCRYPTION_KEY: 'Qe8uM2xZ6vB0nC4tR7yW1sK5dF9gH3jL',
  PUBLIC_URL: 'http://localhost:3000',
  PROVIDER: 'sandbox',
  ALLOW_SANDBOX: 'true',
  // Of the shell, as npm tells it in color and at length otherwise.
  NO_COLOR: '1',
}

// What `npm` on the path is: a link to npm/bin/npm-cli.js.
const npmFolder = async (): Promise<string> => {
  const command = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  return dirname(dirname(await realpath(command)))
}

// Node of the tests, first on the path as in the image, where npm's scripts look for it.
const nodeFolder = async (): Promise<string> => {
  const folder = join(parent, 'bin')
  await mkdir(folder)
  await symlink(process.execPath, join(folder, 'node'))
  return folder
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'image-'))
  await chmod(parent, 0o755)
  tree = join(parent, 'app')
  await mkdir(tree)
  await createImageTree(tree)
  database = await createEmptyDatabase()
  if (!engine) return
  const binds = [
    { source: tree, target: APP },
    { source: await realpath(process.execPath), target: '/usr/local/bin/node', mode: 'ro' as const },
    { source: await npmFolder(), target: '/usr/local/lib/npm', mode: 'ro' as const },
  ]
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  container = await new PostgreSqlContainer(IMAGE)
    .withUsername('platform')
    .withPassword('platform')
    .withDatabase('platform')
    .withBindMounts(binds)
    .start()
}, 3 * MINUTE_MS)

afterAll(async () => {
  await container?.stop()
  await database.drop()
  await rm(parent, { recursive: true, force: true })
}, MINUTE_MS)

const beside = async (): Promise<Run> => {
  const [{ environment }, path] = [await readDockerfile(), await nodeFolder()]
  const env = {
    ...environment,
    ...secrets,
    PATH: `${path}:${process.env.PATH}`,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(parent, 'data'),
    DATABASE_URL: database.url,
  }
  return (line) =>
    new Promise((resolve) => {
      execFile('sh', ['-c', line], { cwd: tree, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` }),
      )
    })
}

const inContainer = async (running: StartedTestContainer): Promise<Run> => {
  const { environment } = await readDockerfile()
  const env = {
    ...environment,
    ...secrets,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    DATABASE_URL: 'postgres://platform:platform@127.0.0.1:5432/platform',
  }
  const run: Run = async (line) => {
    const { exitCode, output } = await running.exec(['sh', '-c', line], { workingDir: APP, env })
    return { code: exitCode, output }
  }
  await run('ln -s /usr/local/lib/npm/bin/npm-cli.js /usr/local/bin/npm')
  return run
}

// Prints what was written until the line that is waited for is there, or the script ends, or half a minute has gone by.
// In a group of its own, which is ended whole: npm alone would leave what it started behind.
const untilPrinted = (command: string, prints: string): string => `
  log=$(mktemp); setsid ${command} >"$log" 2>&1 & pid=$!
  for _ in $(seq 300); do
    if grep -q "${prints}" "$log" || ! kill -0 $pid 2>/dev/null; then break; fi
    sleep 0.1
  done
  kill -- -$pid 2>/dev/null; wait $pid; cat "$log"; rm "$log"`

const proveEach = async (run: Run): Promise<void> => {
  for (const [script, { args = [], prints, runsOn, code: expected = 0 }] of Object.entries(PROVES)) {
    const command = ['npm run --silent', script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
    const { code, output } = await run(runsOn ? untilPrinted(command, prints) : command)
    expect(output, script).toContain(prints)
    expect(code, `${script}: ${output}`).toBe(expected)
  }
}

test('every command that a document for operators tells to run is tried in the image', async () => {
  const documented = await documentedScripts()
  expect(documented).toContain('ledger:verify')
  expect(documented.filter((script) => PROVES[script] === undefined)).toEqual([])
})

test('each runs with the files that the Dockerfile puts into the image, and no others', {
  timeout: 5 * MINUTE_MS,
}, async () => {
  await proveEach(await beside())
})

if (engine) {
  test('each runs in a container', { timeout: 5 * MINUTE_MS }, async () => {
    if (container === undefined) throw new Error('no container was started')
    expect(dirname(tree)).toBe(parent)
    await proveEach(await inContainer(container))
  })
}
