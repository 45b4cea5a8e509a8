-- Why: administrators keep people and sellers out; who made an account does not approve its money, nor do new administrators on
-- their first day.
-- Lock: nullable columns, instant.
ALTER TABLE "users" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "block_reason" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "approves_from" timestamp (3) with time zone;