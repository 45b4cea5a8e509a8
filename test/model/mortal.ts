import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { createClient } from './client.ts'
import { ADMIN, createRunDatabase, ENCRYPTION_KEY, environmentOf, type Platform, proveAll } from './platform.ts'

/**
 * The platform as the process that operators start, which can be killed at any moment. It runs no jobs by itself, so
 * that everything happens when the run says so; its clock goes on like any other, so moments are known to the hour.
 */
export const startMortalPlatform = async (adminUrl: string): Promise<Platform> => {
  const database = await createRunDatabase(adminUrl)
  const { pool } = database
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-model-'))
  const environment = { ...environmentOf(database.url, dataDir), LOG_LEVEL: 'info', PROCESS_ROLE: 'api' }
  let server: ServerProcess = await startServer({ environment })
  let dying: Promise<void> | undefined
  let hasDied = false
  let deaths = 0

  const dieAndReturn = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await server.kill()
    hasDied = true
    deaths += 1
    // Half a minute passes: whoever was making a payment when it died has lost its lease.
    await pool.query('update idempotency_keys set leased_until = now() where leased_until is not null')
    server = await startServer({ environment })
  }

  const mortal = {
    count: () => deaths,
    killSoon(ms: number): void {
      dying ??= dieAndReturn(ms).finally(() => {
        dying = undefined
      })
    },
    async revive(): Promise<void> {
      if (dying === undefined) throw new Error(`the server broke by itself:\n${server.output().slice(-2_000)}`)
      await dying
    },
    async quiet(): Promise<boolean> {
      await dying
      const died = hasDied
      hasDied = false
      return died
    },
  }

  const client = createClient({ url: () => server.url, encryptionKey: ENCRYPTION_KEY, onBroken: mortal.revive })
  const admin = { ...ADMIN, token: '' }
  await client.login(admin)

  const countUnread = async (): Promise<number> => {
    const { rowCount } = await pool.query(`select from provider_events where status = 'received'`)
    return rowCount ?? 0
  }

  const settle = async (): Promise<number> => {
    const deadline = performance.now() + 1_000
    while (performance.now() < deadline && !hasDied) if ((await countUnread()) === 0) return 0
    await dying
    if ((await countUnread()) === 0) return 0
    // Left behind by the process that died: the job takes them half a minute later.
    await client.post('sandbox/clock/advance', { as: admin, body: { hours: 1 } })
    return 1
  }

  return {
    url: () => server.url,
    isExact: false,
    settle,
    mortal,
    pool,
    prove: () => proveAll(pool),
    async close() {
      await client.close()
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
