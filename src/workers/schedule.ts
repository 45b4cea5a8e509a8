import { ATTEMPTS_MAX } from './job-queue.queries.ts'

const EACH_MINUTE = '* * * * *'

/** When each job runs, as cron has it, in UTC. A job that is not named here runs each minute. */
const RARE: Readonly<Record<string, string>> = {
  cleanUp: '17 * * * *',
  purgeEvents: '47 * * * *',
  chainLedger: '*/5 * * * *',
}

/**
 * The crontab of these jobs. Each has a queue of its own, so that a job never overlaps itself, in all processes
 * together, and a key, so that at most one of it waits. What was missed while nothing ran is not made up for: one run
 * does all that is due.
 */
export const crontabOf = (jobs: readonly string[]): string =>
  jobs.map((job) => `${RARE[job] ?? EACH_MINUTE} ${job} ?jobKey=${job}&queue=${job}&max=${ATTEMPTS_MAX}`).join('\n')
