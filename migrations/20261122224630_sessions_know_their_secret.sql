-- Why: a token of API credentials ends with the secret that made it, so its session has to know which that was.
-- Lock: nullable column, instant.
ALTER TABLE "sessions" ADD COLUMN "secret_hash" text;