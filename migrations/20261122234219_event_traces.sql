-- Why: a webhook's delivery goes on with the trace of the request that made its event, perhaps in another process.
-- Lock: a nullable column, instant.
ALTER TABLE "events" ADD COLUMN "trace" text;