import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { removeEmbeddedPostgres } from '../src/db/embedded.ts'
import type { Bench } from './support/bench.ts'
import { startPlatform } from './support/platform.ts'
import type { Row } from './support/table.ts'

const IDLE_MS = 3_000

/** The first start with nothing there, Postgres and all; a later one; and what an idle process holds. */
export const measureStart = async (bench: Bench): Promise<Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-bench-start-'))
  const start = () => startPlatform({ environment: { DATA_DIR: dataDir } })
  try {
    const first = await start()
    await first.stop()
    const later = await start()
    await wait(IDLE_MS)
    const [residentMib, shareMib] = [await later.residentMib(), await later.shareMib()]
    await later.stop()
    bench.say(`started in ${first.startedInMs.toFixed(0)} ms, again in ${later.startedInMs.toFixed(0)} ms`)
    const seconds = (name: string, ms: number, atMost: number): Row => ({
      name,
      measured: `${(ms / 1_000).toFixed(1)} s`,
      compared: '',
      value: ms / 1_000,
      bound: { atMost },
    })
    return [
      seconds('first start, in seconds', first.startedInMs, 10),
      seconds('later start, in seconds', later.startedInMs, 3),
      {
        name: 'memory when idle, in MiB',
        measured: `${residentMib.toFixed(0)} MiB`,
        compared: `its share: ${shareMib.toFixed(0)} MiB`,
        value: residentMib,
        bound: { atMost: 180 },
      },
    ]
  } finally {
    await removeEmbeddedPostgres(dataDir).catch(() => undefined)
    await rm(dataDir, { recursive: true, force: true })
  }
}
