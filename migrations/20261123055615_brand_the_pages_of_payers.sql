-- Why: payers see the logo and the colour of the seller whom they pay.
-- Lock: users for the foreign keys of two empty tables, for an instant.
CREATE TABLE "seller_brandings" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"color" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_brandings_color_ck" CHECK ("seller_brandings"."color" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "seller_logos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "seller_brandings" ADD CONSTRAINT "seller_brandings_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_logos" ADD CONSTRAINT "seller_logos_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "seller_logos_seller_id_ix" ON "seller_logos" USING btree ("seller_id");--> statement-breakpoint
CREATE UNIQUE INDEX "seller_logos_current_uq" ON "seller_logos" USING btree ("seller_id") WHERE "seller_logos"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "seller_logos_removed_ix" ON "seller_logos" USING btree ("id") WHERE "seller_logos"."removed_at" is not null;