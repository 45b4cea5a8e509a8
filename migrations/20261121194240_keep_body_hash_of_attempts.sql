-- Why: the log of attempts proves which bytes were sent.
-- Lock: nullable column, instant.
ALTER TABLE "webhook_attempts" ADD COLUMN "body_sha256" text;