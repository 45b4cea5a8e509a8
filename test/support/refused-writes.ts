import type { Pool } from 'pg'

/** Failures of a database that are none of the statement's, by what Postgres calls them. */
export const FAILURES = {
  'a full disk': 'disk_full',
  'a memory that is full': 'out_of_memory',
  'a statement that takes too long': 'query_canceled',
  'a serialization that fails': 'serialization_failure',
} as const

type Failure = (typeof FAILURES)[keyof typeof FAILURES]

const answering = (statement: string) =>
  `create or replace function judge_write() returns trigger language plpgsql as $$ begin ${statement} end $$`

const ACCEPT = answering('return null;')
const refuse = (failure: Failure) => answering(`raise exception 'refused' using errcode = '${failure}';`)

const ON_EVERY_TABLE = `
  do $$ declare name text; begin
    for name in select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
      execute format(
        'create trigger judge_write before insert or update on %s for each statement execute function judge_write()', name);
    end loop;
  end $$`

/** Lets every write to a database fail as Postgres would let it, from `refuse` to `accept`. Reads go on. */
export const createWriteJudge = async (sql: Pool) => {
  await sql.query(ACCEPT)
  await sql.query(ON_EVERY_TABLE)
  return { refuse: (failure: Failure) => sql.query(refuse(failure)), accept: () => sql.query(ACCEPT) }
}
