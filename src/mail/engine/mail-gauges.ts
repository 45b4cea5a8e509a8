import type { Reads } from '../../repositories.ts'
import type { GaugeSource } from '../../telemetry/gauge.ts'
import type { MailBacklog } from '../mails.repository.ts'

type FindBacklog = Reads['mails']['findBacklog']

/** How far mails are behind, over all processes, for Prometheus. */
export const mailGauges = (findBacklog: FindBacklog): GaugeSource[] => {
  const gauge = (name: string, help: string, figure: (backlog: MailBacklog) => number): GaugeSource => ({
    name,
    help,
    read: async () => figure(await findBacklog()),
  })
  return [
    gauge('mails_waiting', 'Mails that wait to be sent.', ({ waitingCount }) => waitingCount),
    gauge(
      'mails_oldest_wait_seconds',
      'For how long the mail has waited that has waited longest.',
      ({ oldestWaitSeconds }) => oldestWaitSeconds,
    ),
    gauge(
      'mails_failed',
      'Mails of the last 30 days that were refused for good, or given up after four days.',
      ({ failedCount }) => failedCount,
    ),
  ]
}

/** How long a mail may wait that only our own server, or ours to reach it, keeps from being sent. */
const STUCK_SECONDS = 15 * 60

/** Whether mails are sent. `isSending`: there is somewhere to send them to. */
export const createMailState =
  (findBacklog: FindBacklog, isSending: boolean) => async (): Promise<'ok' | 'degraded'> => {
    if (!isSending) return 'degraded'
    return (await findBacklog()).stuckSeconds > STUCK_SECONDS ? 'degraded' : 'ok'
  }
