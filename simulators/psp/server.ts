import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openAccounts } from './accounts.ts'
import type { Bank } from './bank.ts'
import { createCaller } from './callback-caller.ts'
import { callbackWork, createCallbackState, resumeCallbacks } from './callbacks.ts'
import { type Certificates, readCertificates } from './certificates/folder.ts'
import { createClock } from './clock.ts'
import { createControlServer } from './control/server.ts'
import { payoutWork } from './efi/payout-writes.ts'
import { efiRoutes } from './efi/routes.ts'
import { createExchanges } from './exchanges.ts'
import { createFaults } from './faults.ts'
import { createApiServer } from './http/api.ts'
import type { ServeOptions } from './options.ts'
import { PROFILES, type Profile } from './profiles.ts'
import { createSchedule } from './schedule.ts'
import { createSettings } from './settings.ts'
import { createPublicServer } from './standard/payload-routes.ts'
import { createSigner } from './standard/payloads.ts'
import { refundWork } from './standard/refund-writes.ts'
import { standardRoutes } from './standard/routes.ts'
import { openStore } from './store.ts'

/** A running PSP. */
export type Psp = {
  bank: Bank
  certificates: Certificates
  certificatesFolder: string
  apiPort: number
  publicPort: number
  controlUrl: string
  close: () => Promise<void>
}

const createBank = (options: ServeOptions, certificates: Certificates, publicHost: () => string): Bank => {
  const store = openStore(join(options.dataFolder, 'psp.sqlite'))
  const settings = createSettings(store)
  const clock = createClock(settings)
  const profile: Profile = PROFILES[options.profile]
  const bank: Bank = {
    profile: { ...profile, clientAuthentication: options.clientAuthentication ?? profile.clientAuthentication },
    merchants: certificates.merchants,
    operations: [],
    ...{ store, settings, clock, publicHost },
    schedule: createSchedule(clock),
    faults: createFaults(),
    exchanges: createExchanges(),
    callbacks: createCallbackState(options.callbackConcurrency),
    caller: createCaller({ ...certificates.callback, authority: certificates.authority }),
  }
  for (const work of [refundWork, payoutWork, callbackWork]) bank.schedule.add(work(bank))
  openAccounts(bank)
  resumeCallbacks(bank)
  return bank
}

const portOf = (address: string): number => Number(new URL(address).port)

/** Starts the PSP: its API, the addresses that payers' banks read, and the tests' own operations. */
export const startPsp = async (options: ServeOptions): Promise<Psp> => {
  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 })
  const certificates = await readCertificates(options.certificatesFolder)
  const { key, certificate: cert } = certificates.server
  let publicPort = options.ports.public
  const publicHost = (): string => `localhost:${publicPort}`
  const bank = createBank(options, certificates, publicHost)

  const tls = { key, cert, ca: certificates.authority, requestCert: true, rejectUnauthorized: true }
  const api = createApiServer(bank, tls, options.latencyMs)
  standardRoutes(api, bank)
  if (bank.profile.efi) efiRoutes(api, bank)
  const publicServer = createPublicServer(bank, { key, cert }, createSigner(certificates.server, publicHost))
  const control = createControlServer({ bank, certificates, apiServer: api.server })

  const { host, ports } = options
  const apiPort = portOf(await api.listen({ host, port: ports.api }))
  publicPort = portOf(await publicServer.listen({ host, port: ports.public }))
  const controlUrl = await control.listen({ host: '127.0.0.1', port: ports.control })

  const close = async (): Promise<void> => {
    bank.schedule.close()
    await Promise.all([api.close(), publicServer.close(), control.close()])
    await bank.caller.close()
    await Promise.all(bank.callbacks.calls)
    bank.store.close()
  }

  const { certificatesFolder } = options
  return { bank, certificates, certificatesFolder, apiPort, publicPort, controlUrl, close }
}
