import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { companyBody, documentForm } from '../../test/support/company.ts'
import { until } from '../../test/support/until.ts'

const ADMIN = { email: 'admin@example.com', password: 'uma senha longa de administrador' }
const SELLER = { email: 'maria@example.com', password: 'dois cafés e um pão na chapa' }

const coverageSchema = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ ranges: z.array(z.object({ count: z.number() })) })),
    }),
  ),
})

/** The files of src in which something has run, of one writing of coverage. */
const visitedIn = async (root: string, path: string): Promise<string[]> => {
  const prefix = pathToFileURL(join(root, 'src/')).href
  const { result } = coverageSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  return result
    .filter(
      ({ url, functions }) => url.startsWith(prefix) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => relative(root, new URL(url).pathname))
    .sort()
}

const startServer = async (root: string, dataDir: string, coverageDir: string) => {
  const preload = join(import.meta.dirname, 'take-coverage.mjs')
  const server = spawn(process.execPath, ['--import', preload, 'src/server.ts'], {
    cwd: root,
    // No jobs: what runs is what was asked for.
    env: {
      ...process.env,
      ...{ PORT: '0', HOST: '127.0.0.1', PROCESS_ROLE: 'api', DATA_DIR: dataDir, NODE_V8_COVERAGE: coverageDir },
      ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'info' },
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const port = new Promise<string>((resolve) => {
    createInterface({ input: server.stdout ?? process.stdin }).on('line', (line) => {
      const found = /the API is at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)
      if (found?.[1] !== undefined) resolve(found[1])
    })
  })
  return { server, url: `http://127.0.0.1:${await port}/api/v1/` }
}

type Call = { token?: string; body?: unknown; form?: FormData }

/**
 * How many files of `src` of the project at `root` each of two requests goes through: making a Pix payment, and approving
 * a company. Starts that project's server with a database of its own.
 */
export const countJourneys = async (root: string): Promise<Record<'createPayment' | 'approveCompany', string[]>> => {
  const folder = await mkdtemp(join(tmpdir(), 'count-source-'))
  const coverageDir = join(folder, 'coverage')
  const { server, url } = await startServer(root, join(folder, 'data'), coverageDir)
  const post = async (path: string, { token, body, form }: Call) => {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(form ? {} : { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: form ?? JSON.stringify(body ?? {}) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return JSON.parse(await response.text())
  }
  const writings = async () => (await readdir(coverageDir).catch(() => [])).sort()
  const takeCoverage = async (): Promise<string> => {
    const before = await writings()
    server.send('take coverage')
    await until('coverage is written', async () => (await writings()).length > before.length)
    const added = (await writings()).find((name) => !before.includes(name)) ?? ''
    // It is there before it is whole.
    await until('coverage is whole', async () => (await readFile(join(coverageDir, added), 'utf8')).endsWith('}'))
    return join(coverageDir, added)
  }
  const visitedBy = async (request: () => Promise<unknown>): Promise<string[]> => {
    await takeCoverage()
    await request()
    return visitedIn(root, await takeCoverage())
  }
  try {
    const seller = {
      token: (await post('auth/register', { body: { ...SELLER, name: 'Maria da Silva', companyName: 'Padaria' } }))
        .tokens.accessToken,
    }
    const admin = { token: (await post('auth/login', { body: ADMIN })).tokens.accessToken }
    const { id } = await post('companies', { ...seller, body: companyBody() })
    await post(`companies/${id}/documents`, { ...seller, form: documentForm() })
    const approveCompany = await visitedBy(() => post(`admin/enterprises/${id}/approve`, admin))
    const pay = () => post('payments', { ...seller, body: { method: 'pix', amount: 10_000 } })
    // The first one also makes what later ones find made.
    await pay()
    return { createPayment: await visitedBy(pay), approveCompany }
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    await rm(folder, { recursive: true })
  }
}
