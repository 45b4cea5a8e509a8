import type { FastifyBaseLogger } from 'fastify'
import { Logger } from 'graphile-worker'

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/**
 * The log of the job queue's own code, in ours. What it calls info is every single run. The text of a failure is left
 * out: it may quote what is private, and the job has logged it already in our way.
 */
export const createJobLogger = (logger: FastifyBaseLogger): Logger =>
  new Logger(({ taskIdentifier: job, workerId, jobId }) => (level, message, meta) => {
    if (meta !== undefined && 'failure' in meta) return
    logger[LEVELS[level as keyof typeof LEVELS] ?? 'info']({ job, workerId, jobId }, message)
  })
