-- Why: overlapping fees are refused by an exclusion constraint (btree_gist); lists are searched by parts of words within
-- one seller (pg_trgm, btree_gin). All three come with Postgres itself.
-- Lock: none.
CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
