import { sql } from 'drizzle-orm'
import { isHeardWithin } from '../areas/status/status.repository.ts'
import type { Executor } from '../db/client.ts'

/** A job that fails this often in a row waits for the next round of the schedule. */
export const ATTEMPTS_MAX = 3

/** How one job of the queue does. Times in seconds. */
export type JobBacklog = { job: string; waiting: number; oldestWaitSeconds: number; failing: number }

type BacklogRow = { job: string; waiting: string; oldest: string; failing: string }

/** What is asked of the job queue in SQL: its tables have no other owner among us. */
export const createJobQueueQueries = (db: Executor) => ({
  /** Puts a job at the front of its queue. One that already waits is not doubled; one that runs is followed by this. */
  async insertNow(job: string): Promise<void> {
    await db.execute(sql`
      select from graphile_worker.add_job(
        identifier => ${job}, queue_name => ${job}, job_key => ${job}, max_attempts => ${ATTEMPTS_MAX}
      )`)
  },

  /** What is due, for how long, and what failed the last time, by job. */
  async listBacklog(): Promise<JobBacklog[]> {
    const { rows } = await db.execute<BacklogRow>(sql`
      select tasks.identifier as job,
        count(*) filter (where due) as waiting,
        coalesce(extract(epoch from max(now() - run_at) filter (where due)), 0) as oldest,
        count(*) filter (where last_error is not null) as failing
      from graphile_worker._private_tasks as tasks
      join (
        select *, locked_at is null and attempts < max_attempts and run_at <= now() as due
        from graphile_worker._private_jobs
      ) as jobs on jobs.task_id = tasks.id
      group by tasks.identifier order by tasks.identifier`)
    return rows.map(({ job, waiting, oldest, failing }) => ({
      job,
      waiting: Number(waiting),
      oldestWaitSeconds: Number(oldest),
      failing: Number(failing),
    }))
  },

  /**
   * Frees what is held by workers that have been silent for some milliseconds: jobs and their queues. Whoever took a job
   * within them may not have been heard yet and is left alone. Answers the names of the dead.
   */
  async updateLostLocks(silentMs: number): Promise<string[]> {
    const { rows } = await db.execute<{ lost: string }>(sql`
      with held as (
        select locked_by, locked_at from graphile_worker._private_jobs where locked_by is not null
        union all select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
      )
      select distinct locked_by as lost from held
      where locked_at < now() - ${silentMs} * interval '1 ms' and not exists (
        select from worker_heartbeats where worker_id = held.locked_by and ${isHeardWithin(silentMs)}
      )`)
    const lost = rows.map((row) => row.lost)
    if (lost.length > 0) await db.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(lost)}::text[])`)
    return lost
  },

  /**
   * Keeps the queues of these jobs for a holder, so that no worker begins one of them. Answers which are held by then:
   * a job that runs at this moment keeps its queue until it is done. The holder has to show a pulse like a worker.
   */
  async updateHolder(holder: string, jobs: readonly string[]): Promise<string[]> {
    const { rows } = await db.execute<{ job: string }>(sql`
      update graphile_worker._private_job_queues set locked_at = now(), locked_by = ${holder}
      where queue_name = any(${sql.param(jobs)}::text[]) and (locked_by is null or locked_by = ${holder})
      returning queue_name as job`)
    return rows.map(({ job }) => job)
  },

  /** Gives back everything that a holder keeps. */
  async updateReleased(holder: string): Promise<void> {
    await db.execute(sql`select graphile_worker.force_unlock_workers(${sql.param([holder])}::text[])`)
  },

  /** Forgets jobs that were given up: the schedule has long made new ones of them. Answers how many. */
  async deleteGivenUp(): Promise<number> {
    const { rowCount } = await db.execute(sql`
      delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null`)
    return rowCount ?? 0
  },
})

export type JobQueueQueries = ReturnType<typeof createJobQueueQueries>
