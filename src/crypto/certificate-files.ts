/**
 * A certificate of ours, read from files: PEM, or PKCS#12 with its password, as banks hand it out. OpenSSL reads
 * both, and so proves that key, certificate and password belong together before anything is sent.
 */
import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'

/** Where the certificate lies. `password` opens a PKCS#12 file (an empty one is a password, too) or an encrypted key. */
export type CertificateFiles =
  | { file: string; keyFile: string; password?: string | undefined }
  | { file: string; password: string }

export type CertificateOptions = {
  certificate: CertificateFiles
  /** PEM certificates to trust in place of the well-known authorities. */
  caFile?: string | undefined
}

/** What a TLS connection is made with. */
export type Identity = { secureContext: SecureContext; expiresAt: Date }

/** The files make no certificate. The message is one line for the operator, with the way out and without a secret. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

/** Older PKCS#12 files are encrypted in a way that OpenSSL 3 has put away. */
const REWRITE = 'openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export -out NEW'

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this process',
  EISDIR: 'is a folder',
}

const readText = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (cause) {
    const code = codeOf(cause)
    throw new CertificateError(`${file} ${FILE_FAULTS[code] ?? `cannot be read (${code})`}`, { cause })
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

// OpenSSL's messages name what is wrong with a file, and nothing of its content.
const opensslFault = (error: unknown, certificate: CertificateFiles): string => {
  const message = error instanceof Error ? error.message : ''
  const { file } = certificate
  if (/mac verify failure|bad decrypt|interrupted or cancelled/i.test(message)) {
    return `the password does not open ${'keyFile' in certificate ? certificate.keyFile : file}`
  }
  if (/unsupported/i.test(message)) return `${file} is encrypted in an old way: write it again with ${REWRITE}`
  if (/key values mismatch/i.test(message)) return `the private key does not belong to the certificate ${file}`
  if (/no start line|bad base64|wrong tag/i.test(message)) return `${file} or its key is not in PEM`
  if (/not enough data|asn1|pkcs12/i.test(message)) return `${file} is not in PKCS#12`
  return `${file} cannot be used (${codeOf(error)})`
}

const secureContextOf = ({ certificate, caFile }: CertificateOptions): SecureContext => {
  const { file, password } = certificate
  const own =
    'keyFile' in certificate
      ? { cert: readText(file), key: readText(certificate.keyFile) }
      : { pfx: readText(file), passphrase: password }
  const ca = caFile === undefined ? {} : { ca: readText(caFile) }
  const passphrase = password === undefined ? {} : { passphrase: password }
  try {
    return createSecureContext({ ...own, ...passphrase, ...ca, minVersion: 'TLSv1.2' })
  } catch (cause) {
    throw new CertificateError(opensslFault(cause, certificate), { cause })
  }
}

// A socket that connects nowhere is the documented way to ask OpenSSL which certificate it would show.
const expiryOf = (secureContext: SecureContext, file: string): Date => {
  const socket = new TLSSocket(new PassThrough(), { secureContext })
  const certificate = socket.getX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new CertificateError(`${file} has no certificate`)
  return certificate.validToDate
}

/** Reads the files. Throws CertificateError where they make no certificate. */
export const readIdentity = (options: CertificateOptions): Identity => {
  const secureContext = secureContextOf(options)
  return { secureContext, expiresAt: expiryOf(secureContext, options.certificate.file) }
}

const pathsOf = ({ certificate, caFile }: CertificateOptions): string[] =>
  [certificate.file, 'keyFile' in certificate ? certificate.keyFile : undefined, caFile].filter(
    (path) => path !== undefined,
  )

const describe = (stat: BigIntStats | undefined): string =>
  stat === undefined ? 'missing' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`

/** Changes whenever one of the files does, also where a link is pointed at another file, as secrets of containers are. */
export const fingerprintNow = (options: CertificateOptions): string =>
  pathsOf(options)
    .map((path) => describe(statSync(path, { bigint: true, throwIfNoEntry: false })))
    .join(' ')

/** The same, without holding up the process where the files lie on a slow drive. */
export const fingerprintOf = async (options: CertificateOptions): Promise<string> => {
  const stats = await Promise.all(pathsOf(options).map((path) => stat(path, { bigint: true }).catch(() => undefined)))
  return stats.map(describe).join(' ')
}
