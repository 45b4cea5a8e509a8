import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client as Connection } from 'pg'
import { createRandom } from '../../scripts/seed/random.ts'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { EPOCH_MS } from '../model/calendar.ts'
import { openShop, openWorld } from '../model/opening.ts'
import { createRunDatabase, createStandingClock, ENCRYPTION_KEY, startInProcess } from '../model/platform.ts'
import { watchStatements } from './fault-points.ts'
import { expireLeases, type Stage } from './stage.ts'

const HOUR_MS = 3_600_000
/** What the platform's connections call themselves; those of a test have no name. */
const PLATFORM = 'payment-platform'

type Started = Awaited<ReturnType<typeof startInProcess>>
type Life = { started: Started | undefined; isOver: boolean; over: Promise<void>; end: () => void }

const newLife = (): Life => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { started: undefined, isOver: false, over: promise, end: resolve }
}

type Inside = { connection: { stream: { destroy(): void } }; connectionParameters: { application_name?: string } }
const insideOf = (connection: Connection): Inside => connection as unknown as Inside

const cutOff = ({ started }: Life): void => {
  if (started === undefined) return
  const { app, pool, services } = started
  const { _clients: connections } = pool as unknown as { _clients: Connection[] }
  for (const connection of [...connections]) insideOf(connection).connection.stream.destroy()
  // Whoever in it still wants a connection gets none.
  void pool.end().catch(() => undefined)
  app.server.closeAllConnections()
  app.server.close()
  // What it does by the clock would go on for ever, without a database.
  void app.close().catch(() => undefined)
  void services.cardFields?.close()
  void services.closeProviders()
}

/** What the platforms of a stage are told beside what all are, and when their story begins. */
type Told = { environment?: Record<string, string>; startsAtMs?: number }

/**
 * Platforms within this process, one after the other. The death of one is what a database sees of a killed process:
 * every connection breaks at once, and nothing that was under way is ever heard of again. What takes over shares
 * nothing with it but the database.
 */
export const openInProcessStage = async (
  adminUrl: string,
  { environment = {}, startsAtMs = EPOCH_MS }: Told = {},
): Promise<Stage> => {
  const database = await createRunDatabase(adminUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-crash-'))
  const clock = createStandingClock(startsAtMs)
  const lives = new WeakMap<Connection, Life>()
  let life = newLife()

  const lifeOf = (connection: Connection): Life => {
    const known = lives.get(connection) ?? life
    lives.set(connection, known)
    return known
  }
  const isPlatforms = (connection: Connection) =>
    insideOf(connection).connectionParameters.application_name === PLATFORM
  const points = watchStatements(isPlatforms, {
    isDead: (connection) => isPlatforms(connection) && lifeOf(connection).isOver,
    die: () => {
      life.isOver = true
      cutOff(life)
      life.end()
    },
  })

  let starting: Promise<Started> | undefined
  const alive = (): Promise<Started> => {
    starting ??= (async () => {
      if (life.isOver) life = newLife()
      await expireLeases(database.pool)
      life.started = await startInProcess(database.url, dataDir, clock, environment)
      return life.started
    })()
    return starting
  }
  const revive = async (): Promise<void> => {
    if (!life.isOver) throw new Error('a connection broke though nothing had died')
    starting = undefined
    points.disarm()
    await alive()
  }

  let url = (await alive()).url
  const platform = {
    url: () => url,
    isExact: true,
    settle: async () => 0,
    pool: database.pool,
    prove: async () => [],
    close: async () => undefined,
    mortal: {
      count: () => 0,
      killSoon: () => undefined,
      quiet: async () => false,
      revive: async () => {
        if (life.isOver) await revive()
        url = (await alive()).url
      },
    },
  }
  const opened = await openWorld(platform, ENCRYPTION_KEY, startsAtMs)
  let shops = 0

  const drain = async (job: string): Promise<void> => {
    const { services } = await alive()
    const one = services.jobs[job as keyof typeof services.jobs]
    while ((await one.runOnce()) > 0);
  }

  return {
    ...opened,
    pool: database.pool,
    newShop: () => {
      shops += 1
      return openShop(opened, shops, createRandom(`crash ${shops}`))
    },
    async wait(hours) {
      clock.setOffsetMs(clock.offsetMs() + hours * HOUR_MS)
    },
    async settle() {
      const { over } = life
      await Promise.race([(await alive()).services.providerEvents.idle(), over])
    },
    async run(job) {
      const { over } = life
      const draining = drain(job)
      draining.catch(() => undefined)
      const hasEnded = await Promise.race([draining.then(() => true), over.then(() => false)])
      if (hasEnded) return
      await platform.mortal.revive()
      await drain(job)
    },
    async finish() {
      const body = { hours: 1 }
      const reply = await opened.client.post('sandbox/clock/advance', { as: opened.admin, body })
      if (reply.status !== 200) throw new Error(`the clock answered ${reply.status}: ${reply.text}`)
    },
    async arm(at) {
      points.arm(at)
    },
    async disarm() {
      return points.disarm()
    },
    prove: () => proveLedger(createDatabase(database.pool)),
    async close() {
      await opened.client.close()
      const { app, pool, services } = await alive()
      await app.close()
      await services.closeProviders()
      await pool.end()
      points.unwatch()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
