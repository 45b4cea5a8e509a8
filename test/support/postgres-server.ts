import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError, removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { containerEngineAnswers } from './container-engine.ts'

/** A Postgres 18 server for tests. `adminUrl` may create databases. */
export type TestServer = { kind: string; adminUrl: string; stop: () => Promise<void> }

const IMAGE = 'postgres:18'
const FOLDER_PREFIX = 'payment-platform-test-'
const LEFTOVER_AGE_MS = 60_000

// Nothing here outlives the run, so nothing has to survive a power cut.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '256MB',
  shared_buffers: '128MB',
}

const silent = { info: () => undefined, error: () => undefined }

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 1024 ** 3

// Copying the template creates some hundred files: 20 ms in memory, 400 ms on many a disk.
const temporaryFolder = async (): Promise<string> => {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return memory && memory.bavail * memory.bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir()
}

// A run that was killed with all its processes leaves its cluster behind. The lock tells it from one that is in use.
const removeLeftovers = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const folder = join(parent, name)
    const found = await stat(folder).catch(() => undefined)
    if (!found || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < LEFTOVER_AGE_MS) continue
    await removeEmbeddedPostgres(folder).catch((error: unknown) => {
      if (!(error instanceof EmbeddedPostgresError)) throw error
    })
  }
}

// Ctrl-C ends a test run at once, without its teardown: what has to happen then needs a process of its own.
const startRemover = (folder: string): (() => Promise<void>) => {
  const remover = spawn(process.execPath, [join(import.meta.dirname, 'embedded-remover.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const gone = once(remover, 'exit')
  remover.unref()
  return async () => {
    remover.ref()
    remover.stdin.end()
    await gone
  }
}

/** A cluster in a new temporary folder, removed by `stop` or with the end of this process. */
export const startEmbeddedServer = async (): Promise<TestServer> => {
  const parent = await temporaryFolder()
  await removeLeftovers(parent)
  const dataDir = await mkdtemp(join(parent, FOLDER_PREFIX))
  // Postgres may have to run as another account, which has to get in.
  await chmod(dataDir, 0o755)
  const remove = startRemover(dataDir)
  const server = await startEmbeddedPostgres({ dataDir, log: silent, settings: SETTINGS }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  return { kind: 'the embedded Postgres', adminUrl: server.url, stop: () => server.stop().then(remove) }
}

const startContainer = async (): Promise<TestServer> => {
  // Loading it takes half a second, which only machines with an engine should pay.
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const container = await new PostgreSqlContainer(IMAGE)
    .withUsername('postgres')
    .withDatabase('postgres')
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withCommand(['postgres', ...settings])
    .start()
  const stop = async (): Promise<void> => {
    await container.stop()
  }
  return { kind: `a ${IMAGE} container`, adminUrl: container.getConnectionUri(), stop }
}

/** The server that TEST_DATABASE_URL names; else a container where an engine answers; else the embedded one. */
export const startTestServer = async (): Promise<TestServer> => {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { kind: 'TEST_DATABASE_URL', adminUrl: given, stop: async () => undefined }
  if (!(await containerEngineAnswers())) return await startEmbeddedServer()
  try {
    return await startContainer()
  } catch (error) {
    const server = await startEmbeddedServer()
    return { ...server, kind: `${server.kind} (no ${IMAGE} container: ${String(error)})` }
  }
}
