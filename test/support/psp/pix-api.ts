import { join } from 'node:path'
import { environmentOf } from '../../../simulators/psp/certificates/environment.ts'
import type { Exchange } from '../../../simulators/psp/exchanges.ts'
import { monotonicMs, systemClock } from '../../../src/clock.ts'
import { createLogger } from '../../../src/logging/logger.ts'
import type { Outcome } from '../../../src/providers/pix/api/outcome.ts'
import { createPixApi, type PixApi, type PixApiOptions } from '../../../src/providers/pix/api/pix-api.ts'
import { misfitsOf } from './misfits.ts'
import type { TestPsp } from './simulator.ts'

/** A client of the platform's own, as the first merchant of a simulator, and what it has written to the log. */
export type TestPixApi = { api: PixApi; key: string; log: string[] }

/** What a client of a simulator needs to be configured with. */
export const pixApiOptions = ({ psp, options: { profile } }: TestPsp, log: string[] = []): PixApiOptions => {
  const [merchant] = psp.certificates.merchants
  if (merchant === undefined) throw new Error('the simulator has no merchant')
  const { certificatesFolder: folder, apiPort } = psp
  const environment = environmentOf(merchant, { profile, apiPort, folder })
  return {
    profile,
    apiUrl: environment.PIX_API_URL,
    tokenUrl: environment.PIX_TOKEN_URL,
    clientId: merchant.clientId,
    clientSecret: merchant.clientSecret,
    certificate: { file: join(folder, `${merchant.id}.pem`), keyFile: join(folder, `${merchant.id}.key`) },
    caFile: join(folder, 'ca.pem'),
    merchant: { name: merchant.name, city: merchant.city },
    clock: systemClock,
    monotonicMs,
    logger: createLogger({ production: true, logLevel: 'trace' }, { write: (line) => void log.push(line) }),
  }
}

/** Opens a client of a simulator. */
export const openPixApi = (psp: TestPsp, changes: Partial<PixApiOptions> = {}): TestPixApi => {
  const log: string[] = []
  const api = createPixApi({ ...pixApiOptions(psp, log), ...changes })
  return { api, key: psp.client.key, log }
}

/** The exchanges that a simulator has seen, oldest first. */
export const exchangesOf = async ({ control }: TestPsp, operation?: string): Promise<Exchange[]> => {
  const query = operation === undefined ? '' : `?operation=${operation}`
  return ((await control.must('GET', `/requests${query}`)) as { requests: Exchange[] }).requests
}

/** What about the exchanges that a simulator has seen is not as the Central Bank's document has it. */
export const misfits = async (psp: TestPsp): Promise<string[]> => misfitsOf(psp.options.profile, await exchangesOf(psp))

/** The value of an outcome. Throws where there is none. */
export const okValue = <Value>(outcome: Outcome<Value>): Value => {
  if (outcome.kind !== 'ok') throw new Error(`not ok: ${JSON.stringify(outcome)}`)
  return outcome.value
}
