import { period } from '../../support/psp/charges.ts'
import { pixEnvironment } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { openInProcessStage } from '../in-process-stage.ts'
import type { Stage } from '../stage.ts'

/** A stage whose platforms have their money at a simulated PSP, which does not die with them. */
export type PixStage = Stage & { psp: TestPsp }

/** All that has to do with the account, in an order in which one lets the next one go on. */
const JOBS = [
  ...(['processProviderEvents', 'readReceivedPix', 'readInfractions', 'reconcilePayments', 'expirePayments'] as const),
  ...(['sendRefunds', 'reconcileRefunds', 'refundReceivedPix', 'sendDefenses'] as const),
  ...(['payWithdrawals', 'reconcilePayouts'] as const),
]
/**
 * Longer than anything waits before it is tried again. No longer than that: the PSP's clock is real, and a sweep must be over
 * before its claims are.
 */
export const AGAIN_HOURS = 0.05
const ROUNDS = 3

type Listed = Record<string, unknown>[]

/** What the PSP has, all of it since the play began, without its ids and moments. */
const pspTraces = async ({ client, control }: TestPsp, pool: Stage['pool']): Promise<Record<string, unknown[]>> => {
  const list = async (path: string, name: string): Promise<Listed> => {
    const ask = path.startsWith('/v2') ? client.own : client.call
    const { status, body } = await ask('GET', path, undefined, { query: period() })
    if (status !== 200) throw new Error(`the PSP answered ${path} with ${status}: ${JSON.stringify(body)}`)
    return body[name] as Listed
  }
  const part = (things: unknown): string[] =>
    ((things ?? []) as Listed).map(({ valor, status, natureza }) => `${valor} ${status} ${natureza}`).sort()
  const received = await list('/pix', 'pix')
  const { rows } = await pool.query(
    `select amount::int, status, reason, txid is null as without_charge, payment_id is null as without_payment
     from received_pix where end_to_end_id = any($1)`,
    [received.map(({ endToEndId }) => endToEndId)],
  )
  const { merchants } = (await control.must('GET', '/merchants')) as { merchants: { balance: string }[] }
  return {
    charges: (await list('/cob', 'cobs')).map(({ status, valor }) => JSON.stringify([status, valor])).sort(),
    dueCharges: (await list('/cobv', 'cobs')).map(({ status, valor }) => JSON.stringify([status, valor])).sort(),
    received: received.map(({ valor, devolucoes }) => JSON.stringify([valor, part(devolucoes)])).sort(),
    payouts: (await list('/v2/gn/pix/enviados', 'pix'))
      .map(({ valor, status, devolucoes }) => JSON.stringify([valor, status, part(devolucoes)]))
      .sort(),
    balance: [merchants[0]?.balance],
    ends: rows.map((row) => JSON.stringify(row)).sort(),
  }
}

/**
 * Platforms within this process that share a simulated PSP. Each play begins with a PSP that knows of nothing. It calls
 * nobody back by itself: what it would tell is told by the play, again where nobody was there to hear it.
 */
export const openPixStage = async (adminUrl: string): Promise<PixStage> => {
  const psp = await startTestPsp()
  const stage = await openInProcessStage(adminUrl, { environment: pixEnvironment(psp), startsAtMs: Date.now() })
  await stage.run('readReceivedPix')
  return {
    ...stage,
    psp,
    async newShop() {
      await psp.control.must('POST', '/reset')
      psp.client.logOut()
      await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '1000.00' })
      return stage.newShop()
    },
    async finish() {
      for (let round = 0; round < ROUNDS; round += 1) {
        await stage.wait(AGAIN_HOURS)
        for (const job of JOBS) await stage.run(job)
      }
    },
    providerTraces: () => pspTraces(psp, stage.pool),
    async close() {
      await stage.close()
      await psp.close()
    },
  }
}
