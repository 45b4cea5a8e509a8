import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { verifyEverybody } from '../../support/verified-people.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..')
const COMPILER = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc')
const TIMEOUT_MS = 120_000

const COMPILER_OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

let app: TestApp
let folder: string
let program: string

beforeAll(async () => {
  app = await startTestApp()
  await verifyEverybody(app.sql)
  await app.services.ensureDefaultFees()
  folder = await mkdtemp(join(tmpdir(), 'platform-client-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  const types = await openapiTS(JSON.stringify(app.app.swagger()))
  await writeFile(join(folder, 'api.ts'), astToString(types))
  program = await readFile(join(import.meta.dirname, 'program.txt'), 'utf8')
}, TIMEOUT_MS)

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** What the compiler says about a program that uses the generated client. */
const compile = async (text: string): Promise<string> => {
  await writeFile(join(folder, 'program.ts'), text)
  const { stdout } = await run(process.execPath, [COMPILER, '--project', folder]).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

test(
  'a generated client compiles and walks from registration to an approved withdrawal',
  async () => {
    expect(await compile(program)).toBe('')
    const { email, password } = app.config.admin
    const args = [join(folder, 'program.ts'), app.url, email, String(password)]
    const { stdout } = await run(process.execPath, args)
    expect(JSON.parse(stdout)).toEqual({
      company: true,
      qrCode: expect.any(Number),
      status: 'paid',
      available: 9_901,
      movements: [['credit', 9_901]],
      withdrawal: 'approved',
      refused: 'payment.not_found',
    })
  },
  TIMEOUT_MS,
)

test.each([
  ['a field that no body has', "method: 'pix', amount", "method: 'pix', sum"],
  ['a value that no field has', "method: 'pix'", "method: 'cash'"],
  ['a path that no operation has', "'/api/v1/balance'", "'/api/v1/balances'"],
  ['a field that no answer has', 'balance.availableAmount', 'balance.available'],
])(
  '%s does not compile',
  async (_what, right, wrong) => {
    expect(program).toContain(right)
    expect(await compile(program.replace(right, wrong))).toMatch(/error TS\d+/)
  },
  TIMEOUT_MS,
)
