import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { fingerprintNow, readIdentity } from '../crypto/certificate-files.ts'

/** Certificate with its chain, and key, both PEM. */
export type ServerCertificate = Readonly<{ file: string; keyFile: string }>

type Shown = { cert: Buffer; key: Buffer; minVersion: 'TLSv1.2' }

// Both are read, and proved to belong together, before either is shown to anybody.
const read = (certificate: ServerCertificate): Shown => {
  readIdentity({ certificate })
  return { cert: readFileSync(certificate.file), key: readFileSync(certificate.keyFile), minVersion: 'TLSv1.2' }
}

/**
 * The certificate that a server of ours shows, for who speaks TLS up to the process itself. Read again when a connection
 * comes in and its files have changed: certificates are renewed under a server that runs. Throws CertificateError where
 * the files make none.
 */
export const createServerTls = (certificate: ServerCertificate, logger: Pick<FastifyBaseLogger, 'info' | 'warn'>) => {
  const options = { certificate }
  let seen = fingerprintNow(options)
  const shown = read(certificate)

  const renew = (server: TlsServer): void => {
    const now = fingerprintNow(options)
    if (now === seen) return
    seen = now
    try {
      server.setSecureContext(read(certificate))
      logger.info('a new certificate is shown from now on')
    } catch (error) {
      // Half of it may be written yet: the old one stays until the files change again.
      logger.warn({ err: error }, 'the new certificate cannot be used')
    }
  }

  return {
    /** What `https.createServer` takes. */
    options: shown,

    /** Has a server show what the files hold when somebody connects. */
    follow(server: Server): void {
      // Before the server's own listener, which begins the handshake.
      if (server instanceof TlsServer) server.prependListener('connection', () => renew(server))
    },
  }
}

export type ServerTls = ReturnType<typeof createServerTls>

type Limits = { maxHeaderSize?: number }

/** What a Fastify server speaks, as options of it. Its type is that of plain HTTP either way: nothing else differs. */
export const httpOrHttps = (limits: Limits, tls: ServerTls | undefined): { http: Limits } =>
  tls === undefined ? { http: limits } : ({ https: { ...limits, ...tls.options } } as unknown as { http: Limits })
