-- Why: administrators give reserves back before their day, one hold or all of a seller, and see what is held.
-- Lock: a new table; reserve_holds takes no writes while its two indexes are built.
CREATE TABLE "reserve_releases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"reserve_config_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"released_count" integer NOT NULL,
	"released_amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_reserve_config_id_reserve_configs_id_fk" FOREIGN KEY ("reserve_config_id") REFERENCES "public"."reserve_configs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reserve_releases_running_uq" ON "reserve_releases" USING btree ("seller_id") WHERE "reserve_releases"."completed_at" is null;--> statement-breakpoint
CREATE INDEX "reserve_releases_list_ix" ON "reserve_releases" USING btree ("reserve_config_id","id");--> statement-breakpoint
CREATE INDEX "reserve_releases_seller_id_ix" ON "reserve_releases" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "reserve_releases_requested_by_ix" ON "reserve_releases" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "reserve_holds_status_ix" ON "reserve_holds" USING btree ("seller_id","status","id");--> statement-breakpoint
CREATE INDEX "reserve_holds_all_ix" ON "reserve_holds" USING btree ("id","status","created_at");