-- Why: a worker whose clock is wrong signs webhooks that receivers refuse, and took the jobs of others for lost.
-- Lock: a moment; the table has a row for each worker.
ALTER TABLE "worker_heartbeats" ADD COLUMN "clock_skew_ms" bigint DEFAULT 0 NOT NULL;