-- Why: a payment confirmed after its slot was given away counts beyond the limit of its link, and says so; links are searched.
-- Lock: a constant default and small indexes; payment_links is locked for moments.
ALTER TABLE "payment_links" DROP CONSTRAINT "payment_links_slots_ck";--> statement-breakpoint
DROP INDEX "payment_links_expires_at_ix";--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "excess_slots" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_links_search_ix" ON "payment_links" USING gin ("seller_id",("title" || chr(10) || coalesce("description", '') || chr(10) || coalesce("external_reference", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "payment_links_expires_at_ix" ON "payment_links" USING btree ("expires_at") WHERE "payment_links"."status" in ('active', 'inactive');--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_counts_ck" CHECK ("payment_links"."reserved_slots" >= 0 and "payment_links"."excess_slots" >= 0);--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_slots_ck" CHECK ("payment_links"."max_payments" is null or "payment_links"."reserved_slots" <= "payment_links"."max_payments" + "payment_links"."excess_slots");