type Queryable = { query(text: string, values?: unknown[]): Promise<unknown> }

/** As if this seller had opened the link that verifies their address. */
export const verifyAddress = (sql: Queryable, userId: string): Promise<unknown> =>
  sql.query('update users set email_verified_at = now() where id = $1', [userId])

/** As if everybody opened that link the moment that they register: for walks whose subject is something else. */
export const verifyEverybody = async (sql: Queryable): Promise<void> => {
  await sql.query(`create function verify_address() returns trigger language plpgsql as $$
    begin new.email_verified_at = now(); return new; end $$`)
  await sql.query('create trigger verify_address before insert on users for each row execute function verify_address()')
}
