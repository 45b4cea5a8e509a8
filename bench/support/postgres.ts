import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { keptFolders } from '../../src/db/embedded/place.ts'
import { findPostmaster } from '../../src/db/embedded/postmaster.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { cpuSecondsOfFamily } from './processor-time.ts'

/** A durable Postgres of the benchmark's own, as the platform itself would start it. */
export type BenchServer = {
  /** Runs statements in the administration database. */
  admin<Row extends object>(statement: string): Promise<Row[]>
  urlOf(database: string): string
  /** Seconds of processor time that all of its processes have used so far. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

const silent = { info: () => undefined, error: () => undefined }

export const query = async <Row extends object>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Starts Postgres with its data in a temporary folder on disk: commits are flushed, as they must be. */
export const startPostgres = async (): Promise<BenchServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-bench-'))
  const settings = { max_connections: '300', shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '15min' }
  const server = await startEmbeddedPostgres({ dataDir, log: silent, settings })
  const urlOf = (database: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${database}`
    return url.href
  }
  const { home } = await keptFolders(await realpath(dataDir))
  const postmaster = await findPostmaster(home)
  if (postmaster === undefined) throw new Error('the Postgres of the benchmark does not run')
  return {
    admin: (statement) => query(server.url, statement),
    urlOf,
    cpuSeconds: () => cpuSecondsOfFamily(postmaster.pid),
    stop: async () => {
      await server.stop()
      await removeEmbeddedPostgres(dataDir).catch(() => undefined)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
