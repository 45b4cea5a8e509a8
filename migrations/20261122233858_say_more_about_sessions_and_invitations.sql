-- Why: people see where they are logged in, what could take an account over asks for a proof that is fresh, and people join a
-- team, or the administrators, by a link in a mail.
-- Lock: nullable columns, instant; the rest is new but for a key that refers to users.
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"seller_id" uuid,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"access_role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_token_hash_uq" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "ip_address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_seller_id_ix" ON "invitations" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_ix" ON "invitations" USING btree ("expires_at");