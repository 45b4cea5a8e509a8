import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import type { STATES } from '../../domain/contact.ts'

export type CustomerAddress = {
  zipCode: string
  street: string
  number: string
  complement: string | null
  neighborhood: string
  city: string
  state: (typeof STATES)[number]
}

type Searched = { name: AnyPgColumn; email: AnyPgColumn; document: AnyPgColumn }

/** What a search looks through. The index holds the same expression, so both change together. */
export const customerSearchText = ({ name, email, document }: Searched): SQL =>
  sql`(${name} || chr(10) || coalesce(${email}, '') || chr(10) || coalesce(${document}, ''))`

/** The people and companies who pay a seller. Deleting anonymises: the payments stay. */
export const customers = pgTable(
  'customers',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    email: text('email'),
    document: text('document'),
    documentType: text('document_type', { enum: ['cpf', 'cnpj'] }),
    phone: text('phone'),
    address: jsonb('address').$type<CustomerAddress>(),
    externalReference: text('external_reference'),
    metadata: jsonb('metadata').$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ name: 'customers_pk', columns: [table.sellerId, table.id] }),
    uniqueIndex('customers_document_uq').on(table.sellerId, table.document).where(sql`${table.deletedAt} is null`),
    index('customers_external_reference_ix').on(table.sellerId, table.externalReference),
    // One text for all that is searched, so that a search is one scan. Within a seller: the columns are intersected.
    index('customers_search_ix').using('gin', table.sellerId, sql`${customerSearchText(table)} gin_trgm_ops`),
  ],
)
