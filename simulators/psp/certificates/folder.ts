import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createAuthority, type Identity, issueCertificate, toPkcs12 } from './authority.ts'
import { MERCHANT_COMPANIES } from './companies.ts'

const DAY_MS = 86_400_000
const ORGANIZATION = 'PSP simulator'

/** Whoever has an account at the simulated PSP, with the means to log in. */
const merchantSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  cnpj: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  /** Pix keys that pay into this account; the first one is the one to configure. */
  keys: z.array(z.string()).min(1),
  clientId: z.string(),
  clientSecret: z.string(),
  certificatePassword: z.string(),
  callbackSecret: z.string(),
})

export type Merchant = z.infer<typeof merchantSchema>

export type CertificatesOptions = {
  merchants: number
  /** Further names of the server, beside localhost. */
  hosts: readonly string[]
  /** Of the clients' certificates, from now. */
  validDays: number
  /** Also makes a certificate for each merchant that expired yesterday. */
  expired: boolean
  /** Of the PKCS#12 files. Without one, each merchant gets a random one. */
  password?: string | undefined
}

export const DEFAULT_CERTIFICATES: CertificatesOptions = { merchants: 2, hosts: [], validDays: 365, expired: false }

/** What the server needs of the folder. */
export type Certificates = {
  authority: string
  server: Identity
  expiredServer: Identity
  /** What the PSP shows when it calls a merchant back. */
  callback: Identity
  merchants: readonly Merchant[]
}

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS)

const newMerchant = (index: number, password: string | undefined): Merchant => {
  const company = MERCHANT_COMPANIES[index % MERCHANT_COMPANIES.length]
  if (company === undefined) throw new RangeError(`not the number of a merchant: ${index}`)
  return {
    id: `merchant-${index + 1}`,
    ...company,
    keys: [randomUUID()],
    clientId: `Client_Id_${randomBytes(20).toString('hex')}`,
    clientSecret: `Client_Secret_${randomBytes(20).toString('hex')}`,
    certificatePassword: password ?? randomBytes(12).toString('base64url'),
    callbackSecret: randomBytes(32).toString('base64url'),
  }
}

const writeIdentity = async (folder: string, name: string, { key, certificate }: Identity): Promise<void> => {
  await writeFile(join(folder, `${name}.key`), key, { mode: 0o600 })
  await writeFile(join(folder, `${name}.pem`), certificate)
}

const readIdentity = async (folder: string, name: string): Promise<Identity> => ({
  key: await readFile(join(folder, `${name}.key`), 'utf8'),
  certificate: await readFile(join(folder, `${name}.pem`), 'utf8'),
})

const readAuthority = async (folder: string): Promise<Identity> => {
  if (existsSync(join(folder, 'ca.key'))) return readIdentity(folder, 'ca')
  const authority = createAuthority({ commonName: 'PSP simulator authority', organization: ORGANIZATION })
  await writeIdentity(folder, 'ca', authority)
  return authority
}

const readMerchants = async (folder: string): Promise<Merchant[]> => {
  const path = join(folder, 'merchants.json')
  return existsSync(path) ? z.array(merchantSchema).parse(JSON.parse(await readFile(path, 'utf8'))) : []
}

const writeMerchants = async (folder: string, options: CertificatesOptions): Promise<Merchant[]> => {
  const known = await readMerchants(folder)
  const merchants = Array.from(
    { length: Math.max(options.merchants, known.length) },
    (_, index) => known[index] ?? newMerchant(index, options.password),
  ).map((merchant) => ({ ...merchant, certificatePassword: options.password ?? merchant.certificatePassword }))
  await writeFile(join(folder, 'merchants.json'), `${JSON.stringify(merchants, null, 2)}\n`, { mode: 0o600 })
  return merchants
}

type ClientValidity = { suffix: string; validFrom: Date; validUntil: Date }

const writeClient = async (folder: string, authority: Identity, merchant: Merchant, validity: ClientValidity) => {
  const { id, name, certificatePassword } = merchant
  const client = issueCertificate(authority, { commonName: id, organization: name, usage: 'client', ...validity })
  await writeIdentity(folder, `${id}${validity.suffix}`, client)
  const file = toPkcs12(client, authority.certificate, certificatePassword)
  await writeFile(join(folder, `${id}${validity.suffix}.p12`), file, { mode: 0o600 })
}

const writeServer = async (folder: string, authority: Identity, hosts: readonly string[]): Promise<void> => {
  const server = { commonName: 'localhost', organization: ORGANIZATION, usage: 'server' as const }
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  const now = { hosts: names, validFrom: inDays(-1), validUntil: inDays(365) }
  const before = { hosts: names, validFrom: inDays(-30), validUntil: inDays(-1) }
  await writeIdentity(folder, 'server', issueCertificate(authority, { ...server, ...now }))
  await writeIdentity(folder, 'server-expired', issueCertificate(authority, { ...server, ...before }))
  const callback = { commonName: 'PSP simulator callbacks', organization: ORGANIZATION, usage: 'client' as const }
  await writeIdentity(folder, 'callback', issueCertificate(authority, { ...callback, ...now }))
}

/**
 * Makes the certificates of the PSP and of its merchants, with their log-ins in `merchants.json`. A folder that has some
 * keeps its authority, keys and log-ins and gets new certificates, as when a bank renews them.
 */
export const makeCertificates = async (folder: string, options: CertificatesOptions): Promise<Certificates> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const authority = await readAuthority(folder)
  await writeServer(folder, authority, options.hosts)
  const merchants = await writeMerchants(folder, options)
  for (const merchant of merchants) {
    const now = { suffix: '', validFrom: inDays(-1), validUntil: inDays(options.validDays) }
    await writeClient(folder, authority, merchant, now)
    const before = { suffix: '-expired', validFrom: inDays(-30), validUntil: inDays(-1) }
    if (options.expired) await writeClient(folder, authority, merchant, before)
  }
  return readCertificates(folder)
}

/** Reads a folder that `makeCertificates` filled; fills it first where it is empty. */
export const readCertificates = async (folder: string): Promise<Certificates> => {
  if (!existsSync(join(folder, 'merchants.json'))) return makeCertificates(folder, DEFAULT_CERTIFICATES)
  return {
    authority: await readFile(join(folder, 'ca.pem'), 'utf8'),
    server: await readIdentity(folder, 'server'),
    expiredServer: await readIdentity(folder, 'server-expired'),
    callback: await readIdentity(folder, 'callback'),
    merchants: await readMerchants(folder),
  }
}
