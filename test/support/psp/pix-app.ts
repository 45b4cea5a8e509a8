import { join } from 'node:path'
import { environmentOf } from '../../../simulators/psp/certificates/environment.ts'
import { startTestApp, type TestApp } from '../app.ts'
import type { TestDatabase } from '../database.ts'
import { createPayment, sellingSeller } from '../payments.ts'
import { CALLBACK_SECRET } from './pix-provider.ts'
import type { TestPsp } from './simulator.ts'

/** The variables that make a platform the first merchant of a simulator. */
export const pixEnvironment = ({ psp, options: { profile } }: TestPsp): Record<string, string> => {
  const [merchant] = psp.certificates.merchants
  if (merchant === undefined) throw new Error('the simulator has no merchant')
  const { certificatesFolder: folder, apiPort } = psp
  return {
    ...environmentOf(merchant, { profile, apiPort, folder }),
    PIX_CA_FILE: join(folder, 'ca.pem'),
    PIX_CALLBACK_SECRET: CALLBACK_SECRET,
  }
}

/** The whole platform with its money at a simulator: Pix, and payouts where the profile has them. */
export const startPixApp = async (
  psp: TestPsp,
  environment: Record<string, string> = {},
  database?: TestDatabase,
): Promise<TestApp> => startTestApp({ ...pixEnvironment(psp), ...environment }, database)

/** Runs jobs of the platform once each, in this order. */
export const runPixJobs = async (
  app: TestApp,
  names: readonly (keyof TestApp['services']['jobs'])[],
): Promise<void> => {
  for (const name of names) await app.services.jobs[name].runOnce()
}

/** What came in, as an administrator's list has it. */
export const receivedRows = async (app: TestApp) =>
  (
    await app.sql.query(
      'select end_to_end_id, txid, amount::int, status, reason, payment_id, seller_id from received_pix order by id',
    )
  ).rows

/** A seller with a Pix payment of 100.00 that waits for its payer. */
export const waitingPix = async (app: TestApp, fields: Record<string, unknown> = {}) => {
  const seller = await sellingSeller(app)
  const payment = await createPayment(app, seller, fields)
  return { seller, payment, txid: payment.pix.txid as string }
}
