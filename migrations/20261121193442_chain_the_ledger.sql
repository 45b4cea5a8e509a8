-- Why: postings are sealed in a chain per book, the nightly proof keeps its progress and result, and a transfer that may
-- take a bucket below zero says so. `available` knows the last posting of its book, so that ids are in order of commit.
-- Lock: new tables; ledger_transfers for a moment, for a column with a constant default. One row per book is updated.
CREATE TABLE "ledger_chain" (
	"seller_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"last_posting_id" uuid NOT NULL,
	"postings_count" integer NOT NULL,
	"fingerprints" bytea NOT NULL,
	"hash" bytea NOT NULL,
	"chained_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_chain_pk" PRIMARY KEY("seller_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "ledger_proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"proven_through" uuid NOT NULL,
	"books_count" integer NOT NULL,
	"findings_count" integer NOT NULL,
	"findings" jsonb NOT NULL,
	"duration_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD COLUMN "forced" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX "ledger_proofs_finished_at_ix" ON "ledger_proofs" USING btree ("finished_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_proofs_running_uq" ON "ledger_proofs" USING btree ((true)) WHERE "ledger_proofs"."finished_at" is null;
--> statement-breakpoint
CREATE TRIGGER ledger_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_chain
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
--> statement-breakpoint
UPDATE ledger_accounts SET last_posting_id = (
  SELECT id FROM ledger_postings WHERE ledger_postings.seller_id = ledger_accounts.seller_id ORDER BY id DESC LIMIT 1
) WHERE account = 'available';
