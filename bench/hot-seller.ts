import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, CONNECTIONS, openPlatform } from './support/bench.ts'
import { tokenOf } from './support/shops.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const SCRIPT = join(import.meta.dirname, 'create-payments.lua')

/** One seller receiving everything, against a thousand sellers. */
export const measureHotSeller = async (bench: Bench): Promise<Row[]> => {
  const { platform, tokens } = await openPlatform(bench, { name: 'bench_hot' })
  const hot = join(bench.folder, 'hot.tokens')
  await writeFile(hot, `${tokenOf(1)}\n`)
  const run = async (file: string, name: string) => {
    const args = [file, name]
    return await wrk({ url: platform.url, connections: CONNECTIONS, seconds: bench.seconds, script: SCRIPT, args })
  }
  const rounds = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const many = await run(tokens, `many${round}`)
    const one = await run(hot, `one${round}`)
    rounds.push({ many, one, ratio: one.perSecond / many.perSecond })
    bench.say(`one seller ${one.perSecond.toFixed(0)}/s, a thousand ${many.perSecond.toFixed(0)}/s`)
  }
  await platform.stop()
  return [
    {
      name: 'one seller receiving everything',
      measured: `${median(rounds.map(({ one }) => one.perSecond)).toFixed(0)}/s`,
      compared: `1,000 sellers ${median(rounds.map(({ many }) => many.perSecond)).toFixed(0)}/s`,
      value: median(rounds.map(({ ratio }) => ratio)),
      bound: { atLeast: 0.5 },
      details: { rounds },
    },
  ]
}
