-- Why: a webhook that is paused after failures says what its last attempt brought.
-- Lock: nullable columns, instant.
ALTER TABLE "seller_webhooks" ADD COLUMN "last_failure" text;--> statement-breakpoint
ALTER TABLE "seller_webhooks" ADD COLUMN "last_failure_status" integer;