import type { Pool } from 'pg'

const answering = (statement: string) =>
  `create or replace function disk_is_full() returns trigger language plpgsql as $$ begin ${statement} end $$`

const FREE = answering('return null;')
const FULL = answering("raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';")

const ON_EVERY_TABLE = `
  do $$ declare name text; begin
    for name in select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
      execute format(
        'create trigger disk_is_full before insert or update on %s for each statement execute function disk_is_full()', name);
    end loop;
  end $$`

/** A database's disk: while it is full, every write fails as Postgres lets it fail then, and reads go on. */
export const createDisk = async (sql: Pool) => {
  await sql.query(FREE)
  await sql.query(ON_EVERY_TABLE)
  return { fill: () => sql.query(FULL), free: () => sql.query(FREE) }
}
