import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestApp, TEST_ENVIRONMENT, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { sellingSeller } from '../support/payments.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

/** A database of a test's own with a seller, and processes of the platform on it that the test starts and ends. */
export type Platform = {
  /** The same platform within the test: what looks behind the processes' backs. */
  inside: TestApp
  seller: Seller
  start(environment?: Record<string, string>): Promise<ServerProcess>
  close(): Promise<void>
}

/** `url`: a migrated database. */
export const openPlatform = async (url: string): Promise<Platform> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-ops-'))
  const inside = await startTestApp({}, { url, drop: async () => undefined })
  const servers: ServerProcess[] = []
  const start = async (environment: Record<string, string> = {}): Promise<ServerProcess> => {
    const server = await startServer({
      environment: { ...TEST_ENVIRONMENT, LOG_LEVEL: 'info', DATABASE_URL: url, DATA_DIR: dataDir, ...environment },
    })
    servers.push(server)
    return server
  }
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
    await inside.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { inside, seller: await sellingSeller(inside), start, close }
}

/** The ids of all payments that there are. */
export const paymentsOf = async ({ inside }: Platform): Promise<ReadonlySet<string>> => {
  const { rows } = await inside.sql.query<{ id: string }>('select id from payments')
  return new Set(rows.map(({ id }) => id))
}
