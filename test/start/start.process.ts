import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const STARTS_WITHIN_MS = 60_000

let database: TestDatabase
const children: ChildProcess[] = []

beforeEach(async () => {
  database = await createEmptyDatabase()
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await database.drop()
})

const run = (file: string, environment: Record<string, string>) => {
  const child = spawn(process.execPath, [join(SOURCE, file)], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, PORT: '0', JWT_SECRET: 'j'.repeat(32), ...environment },
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const waiting: (() => void)[] = []
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk.toString()
      for (const check of waiting) check()
    })
  }
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(output.stdout)
        if (found) resolve(found)
      }
      waiting.push(check)
      check()
      void ended.then(() => reject(new Error(`ended without ${pattern}: ${output.stdout}${output.stderr}`)))
    })
  return { child, output, ended, printed }
}

const environment = { ENCRYPTION_KEY: 'e'.repeat(32) }

test('a start prints the addresses last and the first password once, and SIGTERM ends it in order', {
  timeout: STARTS_WITHIN_MS,
}, async () => {
  const first = run('server.ts', environment)
  const [, apiUrl = ''] = await first.printed(/the API is at (http:\/\/127\.0\.0\.1:\d+\/api\/v1)/)
  expect((await fetch(`${apiUrl}/status`)).status).toBe(200)
  const password = /password {2}(\S+)/.exec(first.output.stdout)?.[1] ?? ''
  expect(password.length).toBeGreaterThan(12)
  const logLines = first.output.stdout.split('\n').filter((line) => line.startsWith('{'))
  expect(logLines.join('\n')).not.toContain(password)
  const login = await fetch(`${apiUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  expect(login.status).toBe(200)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(first.output.stderr).toBe('')

  const second = run('server.ts', environment)
  await second.printed(/the API is at/)
  expect(second.output.stdout).not.toContain('password')
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
})

test('a worker of its own has no address, is seen by the API, and ends on SIGTERM', {
  timeout: STARTS_WITHIN_MS,
}, async () => {
  const api = run('server.ts', { ...environment, PROCESS_ROLE: 'api' })
  const [, apiUrl = ''] = await api.printed(/the API is at (http:\S+\/api\/v1)/)
  const statusOf = async () => ((await (await fetch(`${apiUrl}/status`)).json()) as { components: object }).components
  expect(await statusOf()).toMatchObject({ worker: 'down' })
  const worker = run('worker.ts', environment)
  await worker.printed(/the jobs run/)
  await expect.poll(statusOf).toMatchObject({ worker: 'ok' })
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output.stdout).not.toContain('listening')
})

test('every fault of the configuration is one line on stderr', async () => {
  const { output, ended } = run('server.ts', { PORT: 'many', LOG_LEVEL: 'loud' })
  expect(await ended).toBe(1)
  expect(output.stderr.split('\n').slice(0, 3)).toEqual([
    'The configuration has faults:',
    '  PORT: must be a whole number',
    expect.stringMatching(/^ {2}LOG_LEVEL: /),
  ])
  expect(output.stdout).toBe('')
})

test('a port that is taken is one line on stderr', { timeout: STARTS_WITHIN_MS }, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { output, ended } = run('server.ts', { ...environment, PORT: String(port) })
  expect(await ended).toBe(1)
  expect(output.stderr).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port} is in use by another process\\. .*\\n$`))
  other.close()
})

test('a database that cannot be reached is one line on stderr, without its password', {
  timeout: STARTS_WITHIN_MS,
}, async () => {
  const { output, ended } = run('server.ts', { ...environment, DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/none' })
  expect(await ended).toBe(1)
  expect(output.stderr).toBe('The database at 127.0.0.1:1/none cannot be reached. Check DATABASE_URL.\n')
  expect(output.stdout).not.toContain('hush')
})
