import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** Key and certificate as PEM, as `tls.createServer` takes them. */
export type Identity = { key: string; cert: string }

type Issuer = { name: string; privateKey: KeyObject; cert: string }
type LeafOptions = { hosts: readonly string[]; validFrom?: Date; validUntil?: Date }

const DAY_MS = 86_400_000
const SEQUENCE = 0x30
const SET = 0x31

/** One DER element (X.690): tag, length, content. */
const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'))
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const TRUE = Buffer.from('0101ff', 'hex')

const distinguishedName = (name: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))))

const utcTime = (date: Date): Buffer => {
  const digits = date.toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

const hostEntry = (host: string): Buffer =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))

const extension = (id: Buffer, critical: boolean, value: Buffer): Buffer =>
  der(SEQUENCE, id, critical ? TRUE : Buffer.alloc(0), der(0x04, value))

type Certificate = {
  subject: string
  publicKey: KeyObject
  issuer: { name: string; privateKey: KeyObject }
  validFrom: Date
  validUntil: Date
  extensions: readonly Buffer[]
}

const certificatePem = ({ subject, publicKey, issuer, validFrom, validUntil, extensions }: Certificate): string => {
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    der(SEQUENCE, utcTime(validFrom), utcTime(validUntil)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer.privateKey))
  const lines =
    der(SEQUENCE, body, ECDSA_WITH_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const createIssuer = (name: string): Issuer => {
  const { privateKey, publicKey } = newKey()
  const cert = certificatePem({
    subject: name,
    publicKey,
    issuer: { name, privateKey },
    validFrom: new Date(Date.now() - DAY_MS),
    validUntil: new Date(Date.now() + DAY_MS),
    extensions: [extension(BASIC_CONSTRAINTS, true, der(SEQUENCE, TRUE))],
  })
  return { name, privateKey, cert }
}

const issue = (issuer: Issuer | undefined, { hosts, validFrom, validUntil }: LeafOptions): Identity => {
  const { privateKey, publicKey } = newKey()
  const subject = hosts[0] ?? 'nobody'
  const cert = certificatePem({
    subject,
    publicKey,
    issuer: issuer ?? { name: subject, privateKey },
    validFrom: validFrom ?? new Date(Date.now() - DAY_MS),
    validUntil: validUntil ?? new Date(Date.now() + DAY_MS),
    extensions: [extension(SUBJECT_ALT_NAME, false, der(SEQUENCE, ...hosts.map(hostEntry)))],
  })
  return { key: pemOf(privateKey), cert }
}

/** A certificate authority of its own, valid for a day, and what it issues. */
export const createAuthority = (name = 'Test authority') => {
  const issuer = createIssuer(name)
  return { cert: issuer.cert, issue: (options: LeafOptions): Identity => issue(issuer, options) }
}

/** A certificate that vouches for itself. */
export const selfSigned = (options: LeafOptions): Identity => issue(undefined, options)
