import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { PixApi } from './api/pix-api.ts'

/** A bank takes days to make a new one. */
const WARN_BEFORE_MS = 30 * 86_400_000

/** What an operator has to do about the certificate of the Pix account, one line each; none while it is good for a month. */
export const certificateWarnings = (
  api: Pick<PixApi, 'certificateExpiresAt' | 'certificateProblem'>,
  clock: Clock,
): string[] => {
  const problem = api.certificateProblem()
  const endsAt = api.certificateExpiresAt()
  const leftMs = endsAt.getTime() - clock.now().getTime()
  const day = endsAt.toISOString().slice(0, 10)
  const ending = leftMs > 0 ? `ends on ${day}. Ask the bank for a new one` : `has ended on ${day}: Pix stands still`
  return [
    ...(problem === null ? [] : ['The files of the Pix account’s certificate cannot be read again. The log says why.']),
    ...(leftMs > WARN_BEFORE_MS ? [] : [`The certificate of the Pix account ${ending}.`]),
  ]
}

type Dependencies = {
  api: Pick<PixApi, 'certificateExpiresAt' | 'certificateProblem'>
  wallClock: Clock
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/** Writes to the log, at each of its times, what is to be done about the certificate. */
export const createWatchCertificate = ({ api, wallClock, logger }: Dependencies) => ({
  runOnce: async (): Promise<number> => {
    for (const warning of certificateWarnings(api, wallClock)) logger.warn(warning)
    return 0
  },
})
