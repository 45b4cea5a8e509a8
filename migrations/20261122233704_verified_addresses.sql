-- Why: what comes by mail opens an account or verifies an address, once and for an hour; money leaves only accounts whose address
-- is verified; people are told of log-ins from where they never logged in before.
-- Lock: none but for an instant on users: a default that is the same for all rows is written nowhere.
CREATE TABLE "login_devices" (
	"user_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "login_devices_pk" PRIMARY KEY("user_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "link_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
-- Written by hand: addresses that logged in before there was anything to verify count as verified, or their money could not leave.
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email_verified_at" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "login_devices_last_seen_at_ix" ON "login_devices" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "link_tokens_email_ix" ON "link_tokens" USING btree ("email","purpose","expires_at");--> statement-breakpoint
CREATE INDEX "link_tokens_user_id_ix" ON "link_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "link_tokens_expires_at_ix" ON "link_tokens" USING btree ("expires_at");