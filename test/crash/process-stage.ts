import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../../scripts/seed/random.ts'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { EPOCH_MS } from '../model/calendar.ts'
import { openShop, openWorld } from '../model/opening.ts'
import { createRunDatabase, ENCRYPTION_KEY, environmentOf } from '../model/platform.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { expireLeases, type Stage } from './stage.ts'

const HOUR_MS = 3_600_000
const PRELOAD = join(import.meta.dirname, 'preload.ts')
const SETTLED_WITHIN_MS = 1_000
const PAUSE_MS = 20

/** The platform as the process that operators start, which kills itself with SIGKILL at a point and is started again. */
export const openProcessStage = async (adminUrl: string): Promise<Stage> => {
  const database = await createRunDatabase(adminUrl)
  const { pool } = database
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-crash-'))
  const environment = { ...environmentOf(database.url, dataDir), LOG_LEVEL: 'info', PROCESS_ROLE: 'api' }
  const start = () => startServer({ environment, preload: PRELOAD })
  let server: ServerProcess = await start()
  let gone = once(server.child, 'exit')

  const revive = async (): Promise<void> => {
    await server.kill()
    await expireLeases(pool)
    server = await start()
    gone = once(server.child, 'exit')
  }
  // It may have died after its last answer, when nobody was there to notice.
  const arm = async (at: number): Promise<number> => {
    const answered = once(server.child, 'message').then(([seen]) => Number(seen))
    if (server.child.connected) server.child.send(at, () => undefined)
    const seen = await Promise.race([answered, gone.then(() => undefined)])
    if (seen !== undefined) return seen
    await revive()
    return arm(at)
  }

  const platform = {
    url: () => server.url,
    isExact: false,
    settle: async () => 0,
    pool,
    prove: () => proveLedger(createDatabase(pool)),
    close: async () => undefined,
    mortal: { count: () => 0, killSoon: () => undefined, quiet: async () => false, revive },
  }
  const opened = await openWorld(platform, ENCRYPTION_KEY, EPOCH_MS)
  const { client, admin } = opened
  let shops = 0

  const advance = async (): Promise<void> => {
    const { status, text } = await client.post('sandbox/clock/advance', { as: admin, body: { hours: 1 } })
    if (status !== 200) throw new Error(`the clock answered ${status}: ${text}`)
  }

  return {
    ...opened,
    pool,
    newShop: () => {
      shops += 1
      return openShop(opened, shops, createRandom(`crash ${shops}`))
    },
    async wait(hours) {
      const { body } = await client.get('sandbox/clock', { as: admin })
      await pool.query('update platform_clock set offset_ms = offset_ms + $1', [hours * HOUR_MS])
      await until('the clock is followed', async () => {
        const after = await client.get('sandbox/clock', { as: admin })
        return Date.parse(after.body.now) >= Date.parse(body.now) + hours * HOUR_MS
      })
    },
    async settle() {
      const deadline = performance.now() + SETTLED_WITHIN_MS
      while (performance.now() < deadline && server.child.signalCode === null) {
        const { rowCount } = await pool.query(`select from provider_events where status = 'received'`)
        if (rowCount === 0) return
        await pause(PAUSE_MS)
      }
    },
    // Of this process only the clock can ask for its jobs.
    run: advance,
    finish: advance,
    async arm(at) {
      await arm(Math.min(at, Number.MAX_SAFE_INTEGER))
    },
    disarm: () => arm(0),
    prove: platform.prove,
    async close() {
      await client.close()
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
