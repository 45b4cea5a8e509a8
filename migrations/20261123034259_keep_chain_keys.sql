-- Why: the ledger's links outlive a rotated ENCRYPTION_KEY, and a start under a wrong one is noticed.
-- Lock: none, the table is new.
CREATE TABLE "ledger_chain_keys" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"key_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);