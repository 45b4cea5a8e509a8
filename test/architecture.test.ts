import { execFile } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const CRUISER = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs')

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

// A project of a few files, with the rules of this one.
const plant = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'architecture-'))
  folders.push(folder)
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name))
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const brokenRules = (cwd: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const args = [CRUISER, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === '') return reject(error ?? new Error(stderr))
      const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } }
      resolve([...new Set(summary.violations.map(({ rule }) => rule.name))].sort())
    })
  })

const VALUE = 'export const value = 1\n'
const uses = (path: string): string => `import { value } from '${path}'\nexport const used = value\n`
const usesType = (path: string): string => `import type { value } from '${path}'\nexport type Used = typeof value\n`

test.each([
  ['domain-is-pure', { 'src/domain/a.ts': uses('../errors.ts'), 'src/errors.ts': VALUE }],
  ['domain-is-pure', { 'src/domain/a.ts': "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n" }],
  ['imports-go-one-way', { 'src/http/a.ts': uses('../areas/x/x.service.ts'), 'src/areas/x/x.service.ts': VALUE }],
  ['imports-go-one-way', { 'src/areas/x/x.plugin.ts': uses('../../compose.ts'), 'src/compose.ts': VALUE }],
  ['imports-go-one-way', { 'src/db/a.ts': uses('../app.ts'), 'src/app.ts': VALUE }],
  [
    'areas-meet-only-by-type',
    { 'src/areas/x/x.service.ts': uses('../y/y.service.ts'), 'src/areas/y/y.service.ts': VALUE },
  ],
  [
    'areas-meet-only-by-type',
    { 'src/areas/x/x.repository.ts': uses('../y/y.repository.ts'), 'src/areas/y/y.repository.ts': VALUE },
  ],
  [
    'only-repositories-speak-sql',
    { 'src/areas/x/x.plain.ts': "import { eq } from 'drizzle-orm'\nexport const equal = eq\n" },
  ],
  [
    'only-repositories-speak-sql',
    { 'src/areas/x/x.plain.ts': uses('./x.tables.ts'), 'src/areas/x/x.tables.ts': VALUE },
  ],
  [
    'services-hold-no-connection',
    { 'src/areas/x/x.service.ts': uses('../../db/client.ts'), 'src/db/client.ts': VALUE },
  ],
  [
    'plugins-never-reach-the-database',
    { 'src/areas/x/x.plugin.ts': uses('./x.repository.ts'), 'src/areas/x/x.repository.ts': VALUE },
  ],
  [
    'only-http-plugins-break-encapsulation',
    { 'src/areas/x/x.plugin.ts': "import fastifyPlugin from 'fastify-plugin'\nexport const wrap = fastifyPlugin\n" },
  ],
  ['no-circular', { 'src/http/a.ts': uses('./b.ts'), 'src/http/b.ts': `${uses('./a.ts')}${VALUE}` }],
])('a planted violation of %s is found', async (rule, files: Record<string, string>) => {
  expect(await brokenRules(await plant(files))).toContain(rule)
})

test('what the rules allow is not found', async () => {
  const folder = await plant({
    'src/domain/money.ts': VALUE,
    'src/domain/fees.ts': uses('./money.ts'),
    'src/areas/x/x.tables.ts': `${uses('../y/y.tables.ts')}`,
    'src/areas/y/y.tables.ts': VALUE,
    'src/areas/x/x.repository.ts': "import { eq } from 'drizzle-orm'\nexport const equal = eq\n",
    'src/areas/x/x.service.ts': usesType('../../repositories.ts'),
    'src/areas/x/x.plugin.ts': usesType('../y/y.service.ts'),
    'src/areas/y/y.service.ts': VALUE,
    'src/repositories.ts': VALUE,
    'src/http/plugins/a.ts': "import fastifyPlugin from 'fastify-plugin'\nexport const wrap = fastifyPlugin\n",
    'src/compose.ts': uses('./areas/y/y.service.ts'),
    'src/app.ts': usesType('./compose.ts'),
  })
  expect(await brokenRules(folder)).toEqual([])
})

/** Whatever tells real time, in the code or in SQL, instead of asking the injected clock. */
const REAL_TIME =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bsystemClock\b|(?<![.\w])now\(\)|\b(clock|statement|transaction)_timestamp\(|\bcurrent_(date|time|timestamp)\b|\blocaltime(stamp)?\b/i

const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

// The rest of the domain knows the platform's clock alone, so that the sandbox moves all of it and tests need no waiting.
const MAY_KNOW_REAL_TIME: readonly { path: RegExp; why: string }[] = [
  {
    path: /^src\/areas\/seller-webhooks\//,
    why: 'deliveries wait, lease and back off in the time of the world outside',
  },
  {
    path: /^src\/areas\/payment-links\/watch-rounds\.ts$/,
    why: 'the pace at which a page that is watched looks again',
  },
  {
    path: /^src\/areas\/status\/status\.repository\.ts$/,
    why: 'workers live in the time of the world outside, and one whose clock is wrong is not asked for it',
  },
  { path: /^src\/ledger\/ledger-chain\.repository\.ts$/, why: 'the chain vouches for when it was made' },
]

test('nothing in the domain tells the time but the injected clock', async () => {
  const found: string[] = []
  const folders = ['domain', 'areas', 'ledger', 'events', 'audit', 'idempotency', 'providers', 'figures']
  for await (const path of glob(`src/{${folders.join(',')}}/**/*.ts`, { cwd: ROOT })) {
    if (REAL_TIME.test(code(await readFile(join(ROOT, path), 'utf8')))) found.push(path)
  }
  expect(found.filter((path) => !MAY_KNOW_REAL_TIME.some((allowed) => allowed.path.test(path)))).toEqual([])
  // An exception that nobody needs any more goes.
  expect(MAY_KNOW_REAL_TIME.filter(({ path }) => !found.some((file) => path.test(file)))).toEqual([])
})

test.each([
  'const at = Date.now()',
  'const at = new Date()',
  'sql`select now()`',
  'sql`where due_at <= current_timestamp`',
  "import { systemClock } from '../../clock.ts'",
])('a planted look at real time is found: %s', (line) => {
  expect(REAL_TIME.test(code(line))).toBe(true)
})

test.each(['const at = clock.now()', 'const at = new Date(now.getTime() + 1)', '// never Date.now()', 'knownow()'])(
  'what the injected clock says is not: %s',
  (line) => {
    expect(REAL_TIME.test(code(line))).toBe(false)
  },
)
