-- Why: administrators list and search people and sellers; who made an account is written beside it, as the audit log knows it.
-- Lock: none.
-- Transaction: none
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_list_ix" ON "users" USING btree ("id","created_at","role","blocked_at") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_sellers_ix" ON "users" USING btree ("id","created_at","approved","blocked_at") WHERE "users"."role" = 'seller' and "users"."seller_id" is null and "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_blocked_ix" ON "users" USING btree ("id","created_at","role","approved") WHERE "users"."blocked_at" is not null and "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_admins_ix" ON "users" USING btree ("id") WHERE "users"."role" = 'admin';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_search_ix" ON "users" USING gin (
  ("id"::text || chr(10) || "name" || chr(10) || "email" || chr(10) || "company_name") gin_trgm_ops);--> statement-breakpoint
-- Written by hand: only the accounts that administrators made, which are few.
UPDATE "users" SET "created_by" = "audit_log"."actor_id" FROM "audit_log"
  WHERE "audit_log"."action" = 'user.create' AND "audit_log"."target_id" = "users"."id" AND "users"."created_by" IS NULL;
