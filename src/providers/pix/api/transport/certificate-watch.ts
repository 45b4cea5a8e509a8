/**
 * Keeps our client certificate up to date while the process runs: banks renew them yearly. Files are looked at by time,
 * because notices of changes miss what network drives and container secrets do.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../../clock.ts'
import {
  CertificateError,
  type CertificateOptions,
  fingerprintNow,
  fingerprintOf,
  type Identity,
  readIdentity,
} from '../../../../crypto/certificate-files.ts'

type Options = CertificateOptions & {
  checkEveryMs: number
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** A new certificate is in the files. */
  onRenewal: (identity: Identity) => void
}

export type CertificateWatch = ReturnType<typeof watchCertificate>

/** Reads the files, and again whenever they change. Throws CertificateError where they are no good at the start. */
export const watchCertificate = ({ checkEveryMs, clock, logger, onRenewal, ...files }: Options) => {
  // Taken before the files are read, so that what changes meanwhile is read again.
  let fingerprint = fingerprintNow(files)
  let current = readIdentity(files)
  let problem: string | null = null

  const refuse = (sentence: string): void => {
    if (sentence === problem) return
    problem = sentence
    logger.warn({ certificateProblem: sentence }, 'the new Pix certificate is no good: the one before stays in use')
  }

  const isBackwards = (next: Identity): boolean => {
    const now = clock.now()
    return next.expiresAt <= now && current.expiresAt > now
  }

  const renew = (): void => {
    const next = readIdentity(files)
    if (isBackwards(next))
      throw new CertificateError(`${files.certificate.file} expired on ${next.expiresAt.toISOString()}`)
    current = next
    problem = null
    logger.info({ expiresAt: next.expiresAt }, 'the Pix certificate was renewed')
    onRenewal(next)
  }

  const check = async (): Promise<void> => {
    const seen = await fingerprintOf(files)
    // A file that was no good is tried again: a disk may have failed for a moment.
    if (seen === fingerprint && problem === null) return
    fingerprint = seen
    try {
      renew()
    } catch (error) {
      refuse(error instanceof CertificateError ? error.message : 'the files cannot be read')
    }
  }

  let checking: Promise<void> | undefined
  const startCheck = (): void => {
    checking ??= check().finally(() => {
      checking = undefined
    })
  }

  const timer = setInterval(startCheck, checkEveryMs)
  timer.unref()

  return {
    /** What new connections are made with. */
    current: (): Identity => current,
    /** What is wrong with the files as they are now, in one line; null where nothing is. */
    problem: (): string | null => problem,
    close: async (): Promise<void> => {
      clearInterval(timer)
      await checking
    },
  }
}
