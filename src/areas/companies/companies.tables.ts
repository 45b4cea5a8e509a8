import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { count, createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import { COMPANY_STATUSES } from '../../domain/company.ts'
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../../domain/company-document.ts'
import { STATES } from '../../domain/contact.ts'
import { users } from '../users/users.tables.ts'

const reais = (name: string) => numeric(name, { precision: 15, scale: 2, mode: 'number' })

const SEARCHED = [
  'commercialName',
  'invoiceName',
  'companyName',
  'tradeName',
  'email',
  'contactEmail',
  'legalRepEmail',
  'cnpj',
] as const

/** What a search looks through. The index holds the same expression, so both change together. */
export const companySearchText = (table: Record<(typeof SEARCHED)[number], AnyPgColumn>): SQL =>
  sql`(${sql.join(
    SEARCHED.map((name) => sql`${table[name]}`),
    sql` || chr(10) || `,
  )})`

/** A seller's legal entity. Small: it is its own directory of tax numbers. */
export const companies = pgTable(
  'companies',
  {
    id: uuid('id').primaryKey(),
    sellerId: sellerId().references(() => users.id),
    status: text('status', { enum: COMPANY_STATUSES }).notNull(),
    rejectionReason: text('rejection_reason'),
    commercialName: text('commercial_name').notNull(),
    invoiceName: text('invoice_name').notNull(),
    averageRevenue: reais('average_revenue').notNull(),
    averageTicket: reais('average_ticket').notNull(),
    productsServices: text('products_services').notNull(),
    website: text('website').notNull(),
    contactEmail: text('contact_email').notNull(),
    contactPhone: text('contact_phone').notNull(),
    sellsPhysicalProducts: boolean('sells_physical_products').notNull(),
    cnpj: text('cnpj').notNull(),
    companyName: text('company_name').notNull(),
    tradeName: text('trade_name').notNull(),
    phone: text('phone').notNull(),
    email: text('email').notNull(),
    addressZipCode: text('address_zip_code').notNull(),
    addressStreet: text('address_street').notNull(),
    addressNumber: text('address_number').notNull(),
    addressComplement: text('address_complement').notNull(),
    addressNeighborhood: text('address_neighborhood').notNull(),
    addressCity: text('address_city').notNull(),
    addressState: text('address_state', { enum: STATES }).notNull(),
    legalRepName: text('legal_rep_name').notNull(),
    legalRepCpf: text('legal_rep_cpf').notNull(),
    legalRepRole: text('legal_rep_role').notNull(),
    legalRepStartDate: instant('legal_rep_start_date').notNull(),
    legalRepPhone: text('legal_rep_phone').notNull(),
    legalRepEmail: text('legal_rep_email').notNull(),
    /** When the company last entered the queue of the reviewers. */
    submittedAt: instant('submitted_at'),
    approvedAt: instant('approved_at'),
    approvedBy: uuid('approved_by'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    unique('companies_seller_id_id_uq').on(table.sellerId, table.id),
    uniqueIndex('companies_cnpj_uq').on(table.cnpj).where(sql`${table.deletedAt} is null`),
    check('companies_cnpj_ck', sql`${table.cnpj} ~ '^[0-9A-Z]{12}[0-9]{2}$'`),
    // The lists, newest first: what they are narrowed by stands behind the id, so that the index alone answers.
    index('companies_list_ix')
      .on(table.id, table.status, table.sellerId, table.createdAt)
      .where(sql`${table.deletedAt} is null`),
    index('companies_status_id_ix').on(table.status, table.id, table.createdAt).where(sql`${table.deletedAt} is null`),
    index('companies_seller_list_ix')
      .on(table.sellerId, table.id, table.status, table.createdAt)
      .where(sql`${table.deletedAt} is null`),
    index('companies_status_submitted_at_ix')
      .on(table.status, table.submittedAt, table.id, table.createdAt)
      .where(sql`${table.deletedAt} is null`),
    index('companies_search_ix').using('gin', sql`${companySearchText(table)} gin_trgm_ops`),
  ],
)

export const companyDocuments = pgTable(
  'company_documents',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    companyId: uuid('company_id').notNull(),
    type: text('type', { enum: DOCUMENT_TYPES }).notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type', { enum: DOCUMENT_CONTENT_TYPES }).notNull(),
    sizeBytes: count('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull(),
    status: text('status', { enum: DOCUMENT_STATUSES }).notNull(),
    rejectionReason: text('rejection_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'company_documents_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'company_documents_company_id_fk',
      columns: [table.sellerId, table.companyId],
      foreignColumns: [companies.sellerId, companies.id],
    }),
    index('company_documents_company_id_ix').on(table.sellerId, table.companyId),
  ],
)
