import { type SQL, sql } from 'drizzle-orm'
import type { Writer } from '../db/client.ts'

/** A column with sealed texts: one in each row, or several within a JSON document. */
export type Place = {
  table: string
  key: readonly string[]
  keyType: 'uuid' | 'text'
  column: string
  type: 'text' | 'jsonb'
}

const SELLERS = { key: ['seller_id', 'id'], keyType: 'uuid' } as const

/** Everything that is sealed. The keys of the ledger come last: that they are under the newest key says that the rest is. */
export const SEALED_PLACES: readonly Place[] = [
  { table: 'seller_webhooks', ...SELLERS, column: 'secret_sealed', type: 'text' },
  { table: 'seller_webhooks', ...SELLERS, column: 'previous_secrets', type: 'jsonb' },
  { table: 'totp_secrets', key: ['user_id'], keyType: 'uuid', column: 'secret_sealed', type: 'text' },
  { table: 'saved_cards', ...SELLERS, column: 'token_sealed', type: 'text' },
  { table: 'mails', ...SELLERS, column: 'secret_sealed', type: 'text' },
  { table: 'ledger_chain_keys', key: ['fingerprint'], keyType: 'text', column: 'key_sealed', type: 'text' },
]

/** A row by its key, and what it holds: a sealed text, or the text of the document with several. */
export type SealedRow = { key: string[]; text: string }

const keyOf = ({ key }: Place): SQL =>
  sql`(${sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  )})`

const valuesOf = ({ keyType }: Place, values: readonly string[]): SQL =>
  sql`(${sql.join(
    values.map((value) => sql`${value}::${sql.raw(keyType)}`),
    sql`, `,
  )})`

/** The sealed texts of every table, for whoever gives them another key. */
export const createSealedTextsRepository = (db: Writer) => ({
  /** The next rows of a place, in the order of their keys. */
  async list(place: Place, after: readonly string[] | undefined, limit: number): Promise<SealedRow[]> {
    const column = sql.identifier(place.column)
    const keys = sql.join(
      place.key.map((name) => sql`${sql.identifier(name)}::text`),
      sql`, `,
    )
    const isLater = after === undefined ? sql`true` : sql`${keyOf(place)} > ${valuesOf(place, after)}`
    const isFull = place.type === 'jsonb' ? sql`${column} <> '[]'` : sql`${column} is not null`
    const { rows } = await db.execute<SealedRow>(sql`
      select array[${keys}] as key, ${column}::text as text from ${sql.identifier(place.table)}
      where ${isLater} and ${isFull} order by ${keyOf(place)} limit ${limit}`)
    return rows
  },

  /** Puts another text in the place of the one that was read. False: it has changed since, and stays as it is. */
  async replace(place: Place, { key, text }: SealedRow, resealed: string): Promise<boolean> {
    const column = sql.identifier(place.column)
    const { rowCount } = await db.execute(sql`
      update ${sql.identifier(place.table)} set ${column} = ${resealed}::${sql.raw(place.type)}
      where ${keyOf(place)} = ${valuesOf(place, key)} and ${column}::text = ${text}`)
    return rowCount === 1
  },
})

export type SealedTextsRepository = ReturnType<typeof createSealedTextsRepository>
