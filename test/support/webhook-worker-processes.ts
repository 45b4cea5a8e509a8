import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import type { WebhookWorkerSettings } from './webhook-worker.ts'

const SOURCE = join(import.meta.dirname, 'webhook-worker.ts')
const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules')

/**
 * Processes that deliver webhooks, to be killed. They are made of one file: it begins in a quarter of the time that four
 * hundred take, and a life is short.
 */
export const openWebhookWorkers = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-workers-'))
  const alive = new Set<ChildProcess>()
  // Packages that are loaded with their first use are not in the bundle.
  await symlink(PACKAGES, join(folder, 'node_modules'))
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: SOURCE, outDir: folder, target: 'node24', rolldownOptions: { external: [/^node:/, 'pg-native'] } },
  })
  return {
    /** Settles when the process has begun. */
    async begin(settings: WebhookWorkerSettings): Promise<ChildProcess> {
      const child = spawn(process.execPath, [join(folder, 'webhook-worker.js'), JSON.stringify(settings)], {
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(folder, 'cache') },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      alive.add(child)
      if (child.stdout === null) throw new Error('the worker has no output')
      await once(child.stdout, 'data')
      return child
    },

    /** Kills it, whatever it is doing, and answers when: Unix milliseconds. */
    async kill(child: ChildProcess): Promise<number> {
      child.kill('SIGKILL')
      const at = Date.now()
      await once(child, 'exit')
      alive.delete(child)
      return at
    },

    async close(): Promise<void> {
      for (const child of alive) child.kill('SIGKILL')
      await rm(folder, { recursive: true })
    },
  }
}

export type WebhookWorkers = Awaited<ReturnType<typeof openWebhookWorkers>>
