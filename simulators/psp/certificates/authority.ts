import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import forge from 'node-forge'

const DAY_MS = 86_400_000
const KEY_BITS = 2_048
const DNS_NAME = 2
const IP_ADDRESS = 7

/** A private key and its certificate, both PEM. */
export type Identity = { key: string; certificate: string }

export type Subject = { commonName: string; organization: string }

export type LeafOptions = Subject & {
  usage: 'server' | 'client'
  /** Names and addresses of a server. */
  hosts?: readonly string[]
  validFrom: Date
  validUntil: Date
}

// Node makes the keys, because the library takes seconds for one.
const newKeyPair = (): { key: string; publicKey: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { key: privateKey, publicKey }
}

const nameOf = ({ commonName, organization }: Subject): forge.pki.CertificateField[] => [
  { name: 'commonName', value: commonName },
  { name: 'organizationName', value: organization },
  { name: 'countryName', value: 'BR' },
]

// The leading byte keeps the number positive, which the encoding needs.
const newSerialNumber = (): string => `01${randomBytes(15).toString('hex')}`

const certificateOf = (publicKey: string, validFrom: Date, validUntil: Date): forge.pki.Certificate => {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = newSerialNumber()
  certificate.validity.notBefore = validFrom
  certificate.validity.notAfter = validUntil
  return certificate
}

/** A certificate authority that vouches for itself, valid for ten years. */
export const createAuthority = (subject: Subject): Identity => {
  const { key, publicKey } = newKeyPair()
  const certificate = certificateOf(publicKey, new Date(Date.now() - DAY_MS), new Date(Date.now() + 3_650 * DAY_MS))
  certificate.setSubject(nameOf(subject))
  certificate.setIssuer(nameOf(subject))
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  return { key, certificate: forge.pki.certificateToPem(certificate) }
}

const alternativeName = (host: string): object =>
  isIP(host) === 0 ? { type: DNS_NAME, value: host } : { type: IP_ADDRESS, ip: host }

/** A certificate for a server or a client, signed by `authority`. */
export const issueCertificate = (authority: Identity, options: LeafOptions): Identity => {
  const issuer = forge.pki.certificateFromPem(authority.certificate)
  const { key, publicKey } = newKeyPair()
  const certificate = certificateOf(publicKey, options.validFrom, options.validUntil)
  certificate.setSubject(nameOf(options))
  certificate.setIssuer(issuer.subject.attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: options.usage === 'server', clientAuth: options.usage === 'client' },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    ...(options.hosts ? [{ name: 'subjectAltName', altNames: options.hosts.map(alternativeName) }] : []),
  ])
  certificate.sign(forge.pki.privateKeyFromPem(authority.key), forge.md.sha256.create())
  return { key, certificate: forge.pki.certificateToPem(certificate) }
}

/** Key, certificate and authority in one PKCS#12 file, as banks hand them out. An empty password is one, too. */
export const toPkcs12 = ({ key, certificate }: Identity, authority: string, password: string): Buffer => {
  const chain = [certificate, authority].map((pem) => forge.pki.certificateFromPem(pem))
  const file = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(key), chain, password, {
    algorithm: 'aes256',
    friendlyName: 'pix',
  })
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'binary')
}
