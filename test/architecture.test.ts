import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
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

type Violation = { rule: string; from: string; to: string }

const violations = (cwd: string): Promise<Violation[]> =>
  new Promise((resolve, reject) => {
    const folders = ['src', 'simulators'].filter((name) => existsSync(join(cwd, name)))
    const args = [CRUISER, ...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === '') return reject(error ?? new Error(stderr))
      type Found = Omit<Violation, 'rule'> & { rule: { name: string } }
      const { summary } = JSON.parse(stdout) as { summary: { violations: Found[] } }
      resolve(summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })))
    })
  })

const brokenRules = async (cwd: string): Promise<string[]> =>
  [...new Set((await violations(cwd)).map(({ rule }) => rule))].sort()

const VALUE = 'export const value = 1\n'
const uses = (path: string): string => `import { value } from '${path}'\nexport const used = value\n`
const usesType = (path: string): string => `import type { value } from '${path}'\nexport type Used = typeof value\n`

test.each([
  ['domain-is-pure', { 'src/domain/a.ts': uses('../errors.ts'), 'src/errors.ts': VALUE }],
  ['domain-is-pure', { 'src/domain/a.ts': "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n" }],
  ['imports-go-one-way', { 'src/db/a.ts': usesType('../ledger/b.ts'), 'src/ledger/b.ts': VALUE }],
  ['imports-go-one-way', { 'src/events/a.ts': uses('../providers/b.plugin.ts'), 'src/providers/b.plugin.ts': VALUE }],
  ['imports-go-one-way', { 'src/areas/x/x.service.ts': uses('../../repositories.ts'), 'src/repositories.ts': VALUE }],
  [
    'areas-meet-only-by-type',
    { 'src/webhooks/engine/a.ts': uses('../api/b.service.ts'), 'src/webhooks/api/b.service.ts': VALUE },
  ],
  ['only-routes-speak-http', { 'src/areas/x/x.service.ts': usesType('../../http/a.ts'), 'src/http/a.ts': VALUE }],
  ['only-routes-speak-http', { 'src/checkout/a.page.ts': uses('../http/a.ts'), 'src/http/a.ts': VALUE }],
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
  ['simulators-stand-alone', { 'simulators/x/a.ts': uses('../../src/errors.ts'), 'src/errors.ts': VALUE }],
  ['simulators-stand-alone', { 'src/providers/a.ts': uses('../../simulators/x/a.ts'), 'simulators/x/a.ts': VALUE }],
  ['no-circular', { 'src/http/a.ts': uses('./b.ts'), 'src/http/b.ts': `${uses('./a.ts')}${VALUE}` }],
])('a planted violation of %s is found', async (rule, files: Record<string, string>) => {
  expect(await brokenRules(await plant(files))).toContain(rule)
})

// A file of each row of imports, from the inside out.
const ROWS = [
  'src/domain/a.ts',
  'src/errors.ts',
  'src/db/a.ts',
  'src/ledger/a.ts',
  'src/providers/a.ts',
  'src/http/a.ts',
  'src/areas/x/x.plugin.ts',
  'src/repositories.ts',
  'src/jobs/a.ts',
  'src/compose.ts',
  'src/app.ts',
  'src/start/a.ts',
  'src/server.ts',
]
const importOf = (from: string, to: string): string => {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Each file of the rows with an import of its neighbour, further out or further in. */
const neighbours = (step: 1 | -1) => {
  const pairs = ROWS.flatMap((from, index) => {
    const to = ROWS[index + step]
    return to === undefined ? [] : [{ from, to }]
  })
  const imports = new Map(pairs.map(({ from, to }) => [from, uses(importOf(from, to))]))
  return { pairs, files: Object.fromEntries(ROWS.map((file) => [file, `${imports.get(file) ?? ''}${VALUE}`])) }
}

test('an import of the next row is found in every row, and none of the row before', async () => {
  const outwards = neighbours(1)
  const found = (await violations(await plant(outwards.files))).filter(({ rule }) => rule === 'imports-go-one-way')
  const places = found.map(({ from, to }) => ({ from, to }))
  expect(places).toHaveLength(ROWS.length - 1)
  expect(places).toEqual(expect.arrayContaining(outwards.pairs))
  expect(await brokenRules(await plant(neighbours(-1).files))).not.toContain('imports-go-one-way')
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
    'src/providers/a.plugin.ts': uses('../http/b.ts'),
    'src/http/b.ts': VALUE,
    'src/http/plugins/a.ts': "import fastifyPlugin from 'fastify-plugin'\nexport const wrap = fastifyPlugin\n",
    'src/compose.ts': uses('./areas/y/y.service.ts'),
    'src/app.ts': usesType('./compose.ts'),
    'simulators/x/a.ts': uses('../../src/domain/money.ts'),
  })
  expect(await brokenRules(folder)).toEqual([])
})

/** Tests that walk the whole platform from outside, and what they share. All others lie where what they test lies. */
const FROM_OUTSIDE = /^test\/(journey|contract|model|crash|security|interop|ops|soak|support)(\/|$)/

test('every folder of tests has its folder in the source, or walks from outside', async () => {
  const folders = new Set<string>()
  for await (const path of glob('test/**/*.test.ts', { cwd: ROOT })) folders.add(dirname(path))
  const mirrored = [...folders].filter((folder) => !FROM_OUTSIDE.test(folder) && folder !== 'test')
  const strangers = mirrored.filter((folder) => {
    const path = /^test\/(scripts|simulators)(\/|$)/.test(folder)
      ? folder.slice('test/'.length)
      : folder.replace(/^test/, 'src')
    return !existsSync(join(ROOT, path))
  })
  expect(strangers).toEqual([])
  expect(mirrored.length).toBeGreaterThan(20)
})

/** Whatever tells real time, in the code or in SQL, instead of asking the injected clock. */
const REAL_TIME =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bsystemClock\b|(?<![.\w])now\(\)|\b(clock|statement|transaction)_timestamp\(|\bcurrent_(date|time|timestamp)\b|\blocaltime(stamp)?\b/i

const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

// The rest of the domain knows the platform's clock alone, so that the sandbox moves all of it and tests need no waiting.
const MAY_KNOW_REAL_TIME: readonly { path: RegExp; why: string }[] = [
  {
    path: /^src\/webhooks\/(api|engine)\//,
    why: 'deliveries wait, lease and back off in the time of the world outside',
  },
  {
    path: /^src\/areas\/payment-links\/watch-rounds\.ts$/,
    why: 'the pace at which a page that is watched looks again',
  },
  { path: /^src\/ledger\/ledger-chain\.queries\.ts$/, why: 'the chain vouches for when it was made' },
]

test('nothing in the domain tells the time but the injected clock', async () => {
  const found: string[] = []
  const folders = [
    'domain',
    'areas',
    'ledger',
    'events',
    'audit',
    'idempotency',
    'providers',
    'daily-totals',
    'webhooks',
  ]
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
