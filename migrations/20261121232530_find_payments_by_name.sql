-- Why: a search finds whom or what it names by key, and looks through the newest payments only for parts of texts.
-- Lock: writes to payments wait while the indexes are built. At millions of payments make them before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "payments_payer_document_ix" ON "payments" USING btree (("customer" ->> 'document'),"id") WHERE ("payments"."customer" ->> 'document') is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_pix_end_to_end_id_ix" ON "payments" USING btree ("pix_end_to_end_id") WHERE "payments"."pix_end_to_end_id" is not null;
