import type { FastifyBaseLogger } from 'fastify'
import { isClockWrong } from '../domain/clock-skew.ts'

/** Says in the log when the clock of this process is wrong by the database's, and when it is right again: each once. */
export const createClockAlarm = (logger: Pick<FastifyBaseLogger, 'error' | 'info'>) => {
  let isWrong = false
  return (clockSkewMs: number): void => {
    if (isClockWrong(clockSkewMs) === isWrong) return
    isWrong = !isWrong
    if (isWrong)
      logger.error({ clockSkewMs }, 'the clock of this process is wrong: receivers refuse webhooks that it signs')
    else logger.info({ clockSkewMs }, 'the clock of this process is right again')
  }
}
