import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeEmbeddedPostgres } from '../../src/db/embedded.ts'
import { createApi } from './app.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const PARTS = ['package.json', '.npmrc', 'src', 'scripts', 'migrations']
const STARTS_WITHIN_MS = 120_000

/** What a newcomer has after `git clone` and `npm ci`, in a new folder below `parent`. */
export const createCheckout = async (parent: string) => {
  const folder = await mkdtemp(join(parent, 'checkout-'))
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true })
  const [from, to] = [await realpath(join(ROOT, 'node_modules')), join(folder, 'node_modules')]
  // Hard links where they can be: half a gigabyte need not be copied.
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  })
  const remove = async (): Promise<void> => {
    await removeEmbeddedPostgres(join(folder, '.data'))
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, remove }
}

/** Makes a checkout somebody else's, who then keeps there what Node makes of the source. */
export const giveCheckout = async ({ folder }: Checkout, { uid, gid }: { uid: number; gid: number }): Promise<void> => {
  const cache = join(folder, 'node_modules', '.cache', 'compile')
  await mkdir(cache, { recursive: true })
  for (const path of [folder, cache]) await chown(path, uid, gid)
}

export type Checkout = Awaited<ReturnType<typeof createCheckout>>

type Options = { environment?: Record<string, string>; as?: { uid: number; gid: number; home: string } }

const npmStart = ({ folder }: Checkout, { environment = {}, as }: Options): ChildProcess => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME: as?.home ?? HOME, PORT: '0', ...environment }
  // A group of its own, as a terminal gives it: Ctrl-C reaches npm and everything below it.
  const account = as ? { uid: as.uid, gid: as.gid } : {}
  return spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...account })
}

/** Types `npm start` in a checkout, with no configuration. */
export const startCheckout = async (checkout: Checkout, options: Options = {}) => {
  const child = npmStart(checkout, options)
  const output = { stdout: '', stderr: '' }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const listening = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no start in time: ${output.stdout}`)), STARTS_WITHIN_MS)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        output[name] += chunk.toString()
        const [, url] = /the API is at (http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout) ?? []
        if (url !== undefined) resolve(url)
      })
    }
    void ended.then(() => {
      clearTimeout(timer)
      reject(new Error(`ended without listening: ${output.stdout}${output.stderr}`))
    })
  })
  return { output, ended, listening, press: (signal: 'SIGINT' | 'SIGTERM') => signalGroup(child, signal) }
}

const signalGroup = ({ pid }: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): void => {
  if (pid !== undefined) process.kill(-pid, signal)
}

/** As startCheckout, up to where it listens. */
export const runningCheckout = async (checkout: Checkout, options: Options = {}) => {
  const started = await startCheckout(checkout, options)
  const url = await started.listening
  return { ...started, url, api: createApi(url) }
}
