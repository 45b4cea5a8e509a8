import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BODY } from './create-payments.ts'
import { type Bench, CONNECTIONS, openPlatform } from './support/bench.ts'
import { tokenOf } from './support/shops.ts'
import { median, type Row } from './support/table.ts'
import { type WrkResult, wrk } from './support/wrk.ts'

const SCRIPT = join(import.meta.dirname, 'reads.lua')
const SELLERS = 100

const createPayment = async (url: string, number: number): Promise<string> => {
  const headers = { authorization: `Bearer ${tokenOf(number)}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/payments`, { method: 'POST', headers, body: JSON.stringify(BODY) })
  return ((await response.json()) as { id: string }).id
}

/** `GET /payments/{id}` and `/balance`, against the same server answering a constant to the same callers. */
export const measureReads = async (bench: Bench): Promise<Row[]> => {
  const script = 'bench/support/constant-server.ts'
  const { platform, tokens } = await openPlatform(bench, { name: 'bench_reads', sellers: SELLERS, script })
  const ids = await Promise.all(Array.from({ length: SELLERS }, (_, index) => createPayment(platform.url, index + 1)))
  const payments = join(bench.folder, 'payment.paths')
  await writeFile(payments, `${ids.map((id) => `/api/v1/payments/${id}`).join('\n')}\n`)
  const read = (path: string) =>
    wrk({ url: platform.url, connections: CONNECTIONS, seconds: bench.seconds, script: SCRIPT, args: [tokens, path] })
  const rounds: Record<'constant' | 'payment' | 'balance', WrkResult>[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const constant = await read('/api/v1/constant')
    const payment = await read(`file:${payments}`)
    const balance = await read('/api/v1/balance')
    const failures = constant.failures + payment.failures + balance.failures
    if (failures > 0) throw new Error(`${failures} reads failed`)
    rounds.push({ constant, payment, balance })
    bench.say(
      `constant ${constant.perSecond.toFixed(0)}/s, payment ${payment.perSecond.toFixed(0)}/s, balance ${balance.perSecond.toFixed(0)}/s`,
    )
  }
  await platform.stop()
  const constantPerSecond = median(rounds.map(({ constant }) => constant.perSecond))
  const rowOf = (name: string, key: 'payment' | 'balance'): Row => ({
    name,
    measured: `${median(rounds.map((round) => round[key].perSecond)).toFixed(0)}/s`,
    compared: `a constant ${constantPerSecond.toFixed(0)}/s`,
    value: median(rounds.map((round) => round[key].perSecond / round.constant.perSecond)),
    bound: { atLeast: 0.5 },
    details: { rounds: rounds.map((round) => round[key]) },
  })
  return [rowOf('GET /payments/{id}', 'payment'), rowOf('GET /balance', 'balance')]
}
