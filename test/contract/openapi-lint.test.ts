import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { OpenapiDocument } from '../support/openapi-document.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const LINTER = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
const LINT_TIMEOUT_MS = 60_000

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'platform-openapi-'))
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

// The linter would otherwise report its use and look for a newer version of itself.
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const lint = async (document: object): Promise<unknown[]> => {
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const args = [
    LINTER,
    'lint',
    file,
    '--config',
    join(ROOT, 'redocly.yaml'),
    '--format',
    'json',
    '--max-problems',
    '500',
  ]
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, ...QUIET },
    maxBuffer: 100_000_000,
  }).catch((error: { stdout: string }) => error)
  return JSON.parse(stdout).problems.map((problem: { ruleId: string; message: string; location: unknown[] }) => ({
    rule: problem.ruleId,
    message: problem.message,
    at: (problem.location[0] as { pointer?: string } | undefined)?.pointer,
  }))
}

test('the linter has nothing to say about the document', { timeout: LINT_TIMEOUT_MS }, async () => {
  expect(await lint(app.app.swagger())).toEqual([])
})

test('the linter finds an example that is not true', { timeout: LINT_TIMEOUT_MS }, async () => {
  const document = structuredClone(app.app.swagger()) as unknown as OpenapiDocument
  const media = document.paths['/api/v1/payments']?.post?.requestBody?.content['application/json']
  expect(media).toBeDefined()
  if (media) media.example = { method: 'cash', amount: 'a lot' }
  const problems = await lint(document)
  expect(problems).toContainEqual(expect.objectContaining({ rule: 'no-invalid-media-type-examples' }))
})
