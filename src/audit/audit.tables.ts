import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from '../db/columns.ts'

/** Who changed what: every act of an administrator and every change of credentials, in the same transaction. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    actorId: uuid('actor_id').notNull(),
    actorRole: text('actor_role').notNull(),
    action: text('action').notNull(),
    targetType: text('target_type').notNull(),
    targetId: uuid('target_id').notNull(),
    sellerId: uuid('seller_id'),
    /** Personal data is masked before it gets here. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [
    index('audit_log_list_ix').on(table.id, table.createdAt),
    index('audit_log_seller_id_ix').on(table.sellerId, table.id),
    index('audit_log_actor_id_ix').on(table.actorId, table.id),
    index('audit_log_action_ix').on(table.action, table.id),
    index('audit_log_target_id_ix').on(table.targetId, table.id),
  ],
)
