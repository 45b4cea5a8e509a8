import { sql } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { databaseNow } from '../db/columns.ts'
import type { Rhythm } from './schedule.ts'

/** Who runs jobs, and for how long they are his unless he says again that he lives. */
export type Lease = { holder: string; leaseMs: number }

/** A job with when it runs. */
export type Scheduled = Rhythm & { name: string }

/** A job that was claimed, and the worker that held it and has been silent for too long, if there was one. */
export type ClaimedJob = { name: string; takenFrom: string | null }

/** How one job does. Times in seconds. */
export type JobBacklog = { job: string; waiting: number; oldestWaitSeconds: number; failing: number }

const FIRST_RETRY_SECONDS = 2
const RETRY_SECONDS_MAX = 60

/** When a job is anybody's: when it is to run, or, where somebody holds it, when that lease ends. */
const dueAt = sql`coalesce(jobs.leased_until, jobs.next_run_at)`

const leasedUntil = (leaseMs: number) => sql`${databaseNow} + ${leaseMs} * interval '1 ms'`

const rhythmRows = (jobs: readonly Scheduled[]) =>
  JSON.stringify(
    jobs.map(({ name, everyMinutes, fromMinute }) => ({ name, every_minutes: everyMinutes, from_minute: fromMinute })),
  )

const names = ({ rows }: { rows: { name: string }[] }): string[] => rows.map(({ name }) => name)

export const createJobsQueries = (db: Reader) => ({
  /** What is due and for how long, and what failed the last time. */
  async listBacklog(): Promise<JobBacklog[]> {
    const { rows } = await db.execute<JobBacklog>(sql`
      select name as job, (${dueAt} <= now())::int as waiting, (failures > 0)::int as failing,
        greatest(extract(epoch from now() - ${dueAt}), 0)::float8 as "oldestWaitSeconds"
      from jobs order by name`)
    return rows
  },

  /** For how long the job has waited that has waited longest, in milliseconds. */
  async findOldestWaitMs(): Promise<number> {
    const { rows } = await db.execute<{ ms: number }>(sql`
      select coalesce(extract(epoch from now() - min(${dueAt})) * 1000, 0)::float8 as ms from jobs
      where ${dueAt} <= now()`)
    return rows[0]?.ms ?? 0
  },
})

/** The rows of the jobs. Each function is one statement, and the database's clock alone decides. */
export const createJobsRepository = (db: Writer) => ({
  ...createJobsQueries(db),

  /** Makes a job due now. One that runs at this moment is followed by another run. */
  async insertDue(job: string): Promise<void> {
    await db.execute(sql`
      insert into jobs (name, next_run_at) values (${job}, ${databaseNow})
      on conflict (name) do update set next_run_at = least(jobs.next_run_at, excluded.next_run_at)`)
  },

  /** Takes at most `limit` of these jobs that are due, the longest due first. Answers which. */
  async claim(jobs: readonly Scheduled[], { holder, leaseMs }: Lease, limit: number): Promise<ClaimedJob[]> {
    const { rows } = await db.execute<ClaimedJob>(sql`
      with rhythm as (
        select name, every_minutes * interval '1 minute' as every,
          'epoch'::timestamptz + from_minute * interval '1 minute' as origin
        from json_to_recordset(${rhythmRows(jobs)}::json) as given(name text, every_minutes int, from_minute int)
      ),
      due as (
        select name from jobs where name in (select name from rhythm) and ${dueAt} <= now()
        order by ${dueAt} limit ${limit} for update skip locked
      )
      update jobs set leased_by = ${holder}, leased_until = ${leasedUntil(leaseMs)},
        next_run_at = date_bin(rhythm.every, now(), rhythm.origin) + rhythm.every
      from due join rhythm using (name) where jobs.name = due.name
      returning jobs.name, old.leased_by as "takenFrom"`)
    return rows
  },

  /** Says for jobs that a holder runs that he lives. Answers which are still his. */
  async renew(jobs: readonly string[], { holder, leaseMs }: Lease): Promise<string[]> {
    return names(
      await db.execute<{ name: string }>(sql`
        update jobs set leased_until = ${leasedUntil(leaseMs)}
        where leased_by = ${holder} and name = any(${sql.param(jobs)}::text[])
        returning name`),
    )
  },

  /** Keeps jobs, due or not, from everybody else, but for those that somebody runs. Answers which are held by then. */
  async hold(jobs: readonly string[], { holder, leaseMs }: Lease): Promise<string[]> {
    return names(
      await db.execute<{ name: string }>(sql`
        update jobs set leased_by = ${holder}, leased_until = ${leasedUntil(leaseMs)}
        where name = any(${sql.param(jobs)}::text[])
          and (leased_by = ${holder} or coalesce(leased_until, now()) <= now())
        returning name`),
    )
  },

  /** Ends a run that did all there was to do. Changes nothing where the job is somebody else's by now. */
  async finish(job: string, holder: string): Promise<void> {
    await db.execute(sql`
      update jobs set leased_by = null, leased_until = null, failures = 0 where name = ${job} and leased_by = ${holder}`)
  },

  /** Ends a run that failed: the next is two seconds later, and each that fails doubles that, up to a minute. */
  async fail(job: string, holder: string): Promise<void> {
    await db.execute(sql`
      update jobs set leased_by = null, leased_until = null, failures = failures + 1, last_failed_at = ${databaseNow},
        next_run_at = ${databaseNow}
          + least(${FIRST_RETRY_SECONDS} * 2.0 ^ least(failures, 10), ${RETRY_SECONDS_MAX}) * interval '1 second'
      where name = ${job} and leased_by = ${holder}`)
  },

  /** Gives back everything that a holder has, to be run by others at once. */
  async release(holder: string): Promise<void> {
    await db.execute(sql`
      update jobs set leased_by = null, leased_until = null, next_run_at = ${databaseNow} where leased_by = ${holder}`)
  },

  /** Forgets jobs that are not among these and that no process has run for an hour: an older version had them. */
  async deleteUnknown(jobs: readonly string[]): Promise<number> {
    const { rowCount } = await db.execute(sql`
      delete from jobs where name <> all(${sql.param(jobs)}::text[]) and ${dueAt} < now() - interval '1 hour'`)
    return rowCount ?? 0
  },
})

export type JobsRepository = ReturnType<typeof createJobsRepository>
