import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../../../simulators/psp/certificates/folder.ts'
import type { ServeOptions } from '../../../simulators/psp/options.ts'
import type { ClientAuthentication, ProfileName } from '../../../simulators/psp/profiles.ts'
import { type Psp, startPsp } from '../../../simulators/psp/server.ts'
import { createPspClient, type PspClient } from './client.ts'
import { type Control, createControl } from './control.ts'

/** A running simulator with clients of its merchants, and the tests' own operations. */
export type TestPsp = {
  psp: Psp
  control: Control
  dataFolder: string
  /** The first merchant's client. */
  client: PspClient
  /** A client of the merchant with this id. */
  clientOf: (merchantId: string) => PspClient
  /** Its API at an address of its own, as a client configures it. */
  options: ServeOptions
  close: () => Promise<void>
}

let certificates: Promise<string> | undefined

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'psp-certificates-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await makeCertificates(folder, { merchants: 2, hosts: [], validDays: 365, expired: true, password: 'segredo' })
  return folder
}

/** A folder of certificates and log-ins that all tests of this process share, because making keys takes a second. */
export const certificatesFolder = (): Promise<string> => {
  certificates ??= makeFolder()
  return certificates
}

type StartOptions = {
  profile?: ProfileName
  dataFolder?: string
  clientAuthentication?: ClientAuthentication
  latencyMs?: number
  callbackConcurrency?: number
}

/** Starts a simulator in this process, on free ports. With `dataFolder`, on the state that another one left. */
export const startTestPsp = async (asked: StartOptions = {}): Promise<TestPsp> => {
  const { profile = 'efi', latencyMs = 0, callbackConcurrency = 1 } = asked
  const dataFolder = asked.dataFolder ?? (await mkdtemp(join(tmpdir(), 'psp-')))
  const options: ServeOptions = {
    profile,
    ports: { api: 0, public: 0, control: 0 },
    host: '127.0.0.1',
    dataFolder,
    certificatesFolder: await certificatesFolder(),
    ...{ latencyMs, callbackConcurrency, clientAuthentication: asked.clientAuthentication },
  }
  const psp = await startPsp(options)
  const clients = new Map<string, PspClient>()
  const clientOf = (merchantId: string): PspClient => {
    const client = clients.get(merchantId) ?? createPspClient({ psp, profile, merchantId })
    clients.set(merchantId, client)
    return client
  }
  const close = async (): Promise<void> => {
    await Promise.all([...clients.values()].map((client) => client.close()))
    await psp.close()
    if (asked.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
  const control = createControl(psp.controlUrl)
  return { psp, control, dataFolder, client: clientOf('merchant-1'), clientOf, options, close }
}
