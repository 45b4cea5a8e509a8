-- Why: the schema as it was when the platform was first released. Migrations only add to it; what computes in the database lies
-- in the .sql files of src, which are applied again when they change.
-- Lock: none, everything is new.
-- Overlapping fees are refused by an exclusion constraint (btree_gist); lists are searched by parts of words within one seller
-- (pg_trgm, btree_gin). All three come with Postgres itself.
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE TABLE "login_failures" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"scopes" text[],
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "totp_recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "totp_recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret_sealed" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"status" text NOT NULL,
	"rejection_reason" text,
	"commercial_name" text NOT NULL,
	"invoice_name" text NOT NULL,
	"average_revenue" numeric(15, 2) NOT NULL,
	"average_ticket" numeric(15, 2) NOT NULL,
	"products_services" text NOT NULL,
	"website" text NOT NULL,
	"contact_email" text NOT NULL,
	"contact_phone" text NOT NULL,
	"sells_physical_products" boolean NOT NULL,
	"cnpj" text NOT NULL,
	"company_name" text NOT NULL,
	"trade_name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"address_zip_code" text NOT NULL,
	"address_street" text NOT NULL,
	"address_number" text NOT NULL,
	"address_complement" text NOT NULL,
	"address_neighborhood" text NOT NULL,
	"address_city" text NOT NULL,
	"address_state" text NOT NULL,
	"legal_rep_name" text NOT NULL,
	"legal_rep_cpf" text NOT NULL,
	"legal_rep_role" text NOT NULL,
	"legal_rep_start_date" timestamp (3) with time zone NOT NULL,
	"legal_rep_phone" text NOT NULL,
	"legal_rep_email" text NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"approved_at" timestamp (3) with time zone,
	"approved_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "companies_seller_id_id_uq" UNIQUE("seller_id","id"),
	CONSTRAINT "companies_cnpj_ck" CHECK ("companies"."cnpj" ~ '^[0-9A-Z]{12}[0-9]{2}$')
);
--> statement-breakpoint
CREATE TABLE "company_documents" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"company_id" uuid NOT NULL,
	"type" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"status" text NOT NULL,
	"rejection_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "company_documents_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"document" text,
	"document_type" text,
	"phone" text,
	"address" jsonb,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "customers_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "dispute_fees" (
	"type" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"fee_amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_fees_fee_amount_ck" CHECK ("dispute_fees"."fee_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "dispute_files" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"dispute_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_files_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"blocked_amount" bigint NOT NULL,
	"frozen_reserve_amount" bigint NOT NULL,
	"from_pending_amount" bigint NOT NULL,
	"from_available_amount" bigint NOT NULL,
	"draws" jsonb NOT NULL,
	"reason" text NOT NULL,
	"defense" text,
	"defended_at" timestamp (3) with time zone,
	"defense_attempt_at" timestamp (3) with time zone,
	"defense_told_at" timestamp (3) with time zone,
	"defense_refusal" text,
	"provider" text NOT NULL,
	"provider_reference" text NOT NULL,
	"respond_by" timestamp (3) with time zone NOT NULL,
	"fee_amount" bigint DEFAULT 0 NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "disputes_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "disputes_blocked_ck" CHECK ("disputes"."from_pending_amount" + "disputes"."from_available_amount" = "disputes"."blocked_amount")
);
--> statement-breakpoint
CREATE TABLE "fees" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid,
	"method" text NOT NULL,
	"installments_from" integer NOT NULL,
	"installments_to" integer NOT NULL,
	"percentage_bps" integer NOT NULL,
	"fixed_amount" bigint NOT NULL,
	"min_amount" bigint,
	"max_amount" bigint,
	"settlement_days" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fees_band_ck" CHECK ("fees"."installments_from" between 1 and "fees"."installments_to"),
	CONSTRAINT "fees_percentage_ck" CHECK ("fees"."percentage_bps" between 0 and 10000)
);
--> statement-breakpoint
CREATE TABLE "holiday_overrides" (
	"date" date PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"is_holiday" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_credentials" (
	"client_id" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"secret_hash" text,
	"secret_last4" text,
	"previous_secret_hash" text,
	"previous_secret_valid_until" timestamp (3) with time zone,
	"scopes" text[] NOT NULL,
	"allowed_ips" text[] NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_credentials_seller_id_uq" UNIQUE("seller_id")
);
--> statement-breakpoint
CREATE TABLE "payment_link_hashes" (
	"hash" text PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"payment_link_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hash" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"amount" bigint,
	"min_amount" bigint,
	"max_amount" bigint,
	"methods" text[] NOT NULL,
	"max_installments" integer NOT NULL,
	"max_payments" integer,
	"reserved_slots" integer NOT NULL,
	"excess_slots" integer DEFAULT 0 NOT NULL,
	"payments_count" integer NOT NULL,
	"paid_amount" bigint NOT NULL,
	"success_url" text,
	"external_reference" text,
	"metadata" jsonb NOT NULL,
	"status" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_links_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "payment_links_slots_ck" CHECK ("payment_links"."max_payments" is null or "payment_links"."reserved_slots" <= "payment_links"."max_payments" + "payment_links"."excess_slots"),
	CONSTRAINT "payment_links_counts_ck" CHECK ("payment_links"."reserved_slots" >= 0 and "payment_links"."excess_slots" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_settlements" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"installment" integer NOT NULL,
	"amount" bigint NOT NULL,
	"canceled_amount" bigint NOT NULL,
	"available_on" date NOT NULL,
	"status" text NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_settlements_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "payment_settlements_amount_ck" CHECK ("payment_settlements"."canceled_amount" between 0 and "payment_settlements"."amount")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid,
	"payment_link_id" uuid,
	"external_reference" text,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"amount" bigint NOT NULL,
	"paid_amount" bigint NOT NULL,
	"refunded_amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"reserve_amount" bigint NOT NULL,
	"installments" integer NOT NULL,
	"description" text,
	"customer" jsonb,
	"metadata" jsonb NOT NULL,
	"provider" text NOT NULL,
	"fee_id" uuid NOT NULL,
	"fee_percentage_bps" integer NOT NULL,
	"fee_fixed_amount" bigint NOT NULL,
	"fee_min_amount" bigint,
	"fee_max_amount" bigint,
	"settlement_days" integer NOT NULL,
	"reserve_percentage_bps" integer NOT NULL,
	"reserve_days" integer NOT NULL,
	"pix_qr_code" text,
	"pix_end_to_end_id" text,
	"boleto_line" text,
	"boleto_barcode" text,
	"boleto_due_date" date,
	"boleto_pdf_url" text,
	"card_token" text,
	"card_capture" boolean,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"card_authorization_code" text,
	"expires_at" timestamp (3) with time zone,
	"paid_at" timestamp (3) with time zone,
	"canceled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "payments_amount_ck" CHECK ("payments"."amount" > 0),
	CONSTRAINT "payments_refunded_ck" CHECK ("payments"."refunded_amount" between 0 and "payments"."paid_amount")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text,
	"status" text NOT NULL,
	"status_reason" text,
	"from_pending_amount" bigint NOT NULL,
	"from_reserved_amount" bigint NOT NULL,
	"from_available_amount" bigint NOT NULL,
	"draws" jsonb NOT NULL,
	"provider" text NOT NULL,
	"origin" text DEFAULT 'seller' NOT NULL,
	"requested_by" uuid,
	"sent_at" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "refunds_amounts_ck" CHECK ("refunds"."from_pending_amount" + "refunds"."from_reserved_amount" + "refunds"."from_available_amount" = "refunds"."amount"),
	CONSTRAINT "refunds_requested_by_ck" CHECK (("refunds"."origin" = 'seller') = ("refunds"."requested_by" is not null))
);
--> statement-breakpoint
CREATE TABLE "reserve_configs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"percentage_bps" integer NOT NULL,
	"days" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reserve_configs_seller_id_uq" UNIQUE("seller_id"),
	CONSTRAINT "reserve_configs_percentage_ck" CHECK ("reserve_configs"."percentage_bps" between 0 and 10000),
	CONSTRAINT "reserve_configs_days_ck" CHECK ("reserve_configs"."days" between 1 and 180)
);
--> statement-breakpoint
CREATE TABLE "reserve_holds" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"released_amount" bigint NOT NULL,
	"consumed_amount" bigint NOT NULL,
	"status" text NOT NULL,
	"held_at" timestamp (3) with time zone NOT NULL,
	"release_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reserve_holds_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "reserve_holds_amounts_ck" CHECK ("reserve_holds"."released_amount" >= 0 and "reserve_holds"."consumed_amount" >= 0 and "reserve_holds"."released_amount" + "reserve_holds"."consumed_amount" <= "reserve_holds"."amount")
);
--> statement-breakpoint
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
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"company_name" text NOT NULL,
	"phone" text,
	"role" text NOT NULL,
	"approved" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "users_email_uq" UNIQUE("email"),
	CONSTRAINT "users_role_ck" CHECK ("users"."role" in ('admin', 'seller'))
);
--> statement-breakpoint
CREATE TABLE "withdrawal_configs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"min_amount" bigint NOT NULL,
	"max_amount" bigint NOT NULL,
	"daily_limit_amount" bigint NOT NULL,
	"fee_percentage_bps" integer NOT NULL,
	"fee_fixed_amount" bigint NOT NULL,
	"auto_approve_max_amount" bigint NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawal_configs_seller_id_uq" UNIQUE("seller_id"),
	CONSTRAINT "withdrawal_configs_amounts_ck" CHECK ("withdrawal_configs"."min_amount" > 0 and "withdrawal_configs"."min_amount" <= "withdrawal_configs"."max_amount")
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"pix_key_type" text NOT NULL,
	"pix_key" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"status_reason" text,
	"provider" text NOT NULL,
	"end_to_end_id" text,
	"requested_by" uuid NOT NULL,
	"approved_by" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawals_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "withdrawals_amounts_ck" CHECK ("withdrawals"."net_amount" > 0 and "withdrawals"."net_amount" + "withdrawals"."fee_amount" = "withdrawals"."amount")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid NOT NULL,
	"actor_role" text NOT NULL,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" uuid NOT NULL,
	"seller_id" uuid,
	"before" jsonb,
	"after" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_revenue" (
	"seller_id" uuid NOT NULL,
	"span" text NOT NULL,
	"starts_on" date NOT NULL,
	"method" text NOT NULL,
	"paid_count" bigint NOT NULL,
	"gross_volume_amount" bigint NOT NULL,
	"payment_fees_amount" bigint NOT NULL,
	"withdrawal_fees_amount" bigint NOT NULL,
	"dispute_fees_amount" bigint NOT NULL,
	"refunded_fees_amount" bigint NOT NULL,
	"provider_cost_amount" bigint NOT NULL,
	"refunds_amount" bigint NOT NULL,
	"lost_disputes_amount" bigint NOT NULL,
	"withdrawn_amount" bigint NOT NULL,
	"withdrawals_amount" bigint NOT NULL,
	"fees_count" bigint NOT NULL,
	"movements_count" bigint NOT NULL,
	CONSTRAINT "daily_revenue_pk" PRIMARY KEY("seller_id","span","starts_on","method")
);
--> statement-breakpoint
CREATE TABLE "daily_total_changes" (
	"seller_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"day" date NOT NULL,
	"method" text,
	"status" text,
	"account" text,
	"kind" text,
	"direction" text,
	"type" text,
	"webhook_id" uuid,
	"rows_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_totals" (
	"seller_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"span" text NOT NULL,
	"starts_on" date NOT NULL,
	"method" text,
	"status" text,
	"account" text,
	"kind" text,
	"direction" text,
	"type" text,
	"webhook_id" uuid,
	"rows_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	CONSTRAINT "daily_totals_uq" UNIQUE NULLS NOT DISTINCT("seller_id","subject","span","starts_on","method","status","account","kind","direction","type","webhook_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"fanned_out_at" timestamp (3) with time zone,
	CONSTRAINT "events_pk" PRIMARY KEY("seller_id","id") INCLUDE ("type","created_at")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"resource_id" uuid,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_pk" PRIMARY KEY("owner_id","operation","key","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
CREATE TABLE "idempotency_keys_default" PARTITION OF "idempotency_keys" DEFAULT;
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text NOT NULL,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"leased_by" text,
	"leased_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_failed_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_pk" PRIMARY KEY("name")
);
--> statement-breakpoint
CREATE TABLE "worker_heartbeats" (
	"worker_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"clock_skew_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "worker_heartbeats_pk" PRIMARY KEY("worker_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_chain" (
	"seller_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"last_posting_id" uuid NOT NULL,
	"postings_count" integer NOT NULL,
	"fingerprints" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
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
CREATE TABLE "ledger_accounts" (
	"seller_id" uuid NOT NULL,
	"account" text NOT NULL,
	"balance_amount" bigint NOT NULL,
	"last_posting_id" uuid,
	CONSTRAINT "ledger_accounts_pk" PRIMARY KEY("seller_id","account")
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"transfer_id" uuid NOT NULL,
	"account" text NOT NULL,
	"kind" text NOT NULL,
	"method" text,
	"leg" smallint NOT NULL,
	"legs" smallint NOT NULL,
	"amount" bigint NOT NULL,
	"balance_after_amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_postings_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "ledger_postings_leg_uq" UNIQUE("seller_id","transfer_id","legs","leg"),
	CONSTRAINT "ledger_postings_leg_ck" CHECK ("ledger_postings"."leg" between 1 and "ledger_postings"."legs")
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reference_type" text NOT NULL,
	"reference_id" uuid NOT NULL,
	"description" text NOT NULL,
	"legs" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"forced" boolean NOT NULL,
	CONSTRAINT "ledger_transfers_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "ledger_transfers_legs_uq" UNIQUE("seller_id","id","legs")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"body_hash" text NOT NULL,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"times_received" integer NOT NULL,
	"attempts" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"failure" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"processed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_references" (
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"seller_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	CONSTRAINT "provider_references_pk" PRIMARY KEY("provider","kind","reference")
);
--> statement-breakpoint
CREATE TABLE "platform_clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL,
	CONSTRAINT "platform_clock_id_ck" CHECK ("platform_clock"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "sandbox_records" (
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"end_to_end_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_records_pk" PRIMARY KEY("kind","reference")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"bucket" text NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "rate_limits_pk" PRIMARY KEY("bucket","window_started_at")
);
--> statement-breakpoint
CREATE TABLE "seller_webhooks" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"status_reason" text,
	"secret_sealed" text NOT NULL,
	"previous_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"consecutive_failures" integer DEFAULT 0 NOT NULL,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"breaker_open_until" timestamp (3) with time zone,
	"breaker_openings" integer DEFAULT 0 NOT NULL,
	"last_success_at" timestamp (3) with time zone,
	"next_due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "seller_webhooks_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"result" text NOT NULL,
	"response_status" integer,
	"response_snippet" text,
	"duration_ms" integer NOT NULL,
	"body_sha256" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("seller_id","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "webhook_attempts_default" PARTITION OF "webhook_attempts" DEFAULT;
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"replay_number" integer NOT NULL,
	"status" text NOT NULL,
	"attempts_made" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"leased_by" uuid,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_recoveries" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"cursor_event_id" uuid NOT NULL,
	"resent_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_recoveries_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "totp_recovery_codes" ADD CONSTRAINT "totp_recovery_codes_user_id_totp_secrets_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."totp_secrets"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "company_documents" ADD CONSTRAINT "company_documents_company_id_fk" FOREIGN KEY ("seller_id","company_id") REFERENCES "public"."companies"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dispute_files" ADD CONSTRAINT "dispute_files_dispute_id_fk" FOREIGN KEY ("seller_id","dispute_id") REFERENCES "public"."disputes"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_id_fk" FOREIGN KEY ("seller_id","payment_id") REFERENCES "public"."payments"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "fees" ADD CONSTRAINT "fees_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_credentials" ADD CONSTRAINT "api_credentials_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_settlements" ADD CONSTRAINT "payment_settlements_payment_id_fk" FOREIGN KEY ("seller_id","payment_id") REFERENCES "public"."payments"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_fk" FOREIGN KEY ("seller_id","payment_id") REFERENCES "public"."payments"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reserve_configs" ADD CONSTRAINT "reserve_configs_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reserve_holds" ADD CONSTRAINT "reserve_holds_payment_id_fk" FOREIGN KEY ("seller_id","payment_id") REFERENCES "public"."payments"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_reserve_config_id_reserve_configs_id_fk" FOREIGN KEY ("reserve_config_id") REFERENCES "public"."reserve_configs"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "reserve_releases" ADD CONSTRAINT "reserve_releases_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "withdrawal_configs" ADD CONSTRAINT "withdrawal_configs_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_transfer_id_fk" FOREIGN KEY ("seller_id","transfer_id","legs") REFERENCES "public"."ledger_transfers"("seller_id","id","legs") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fk" FOREIGN KEY ("seller_id","webhook_id") REFERENCES "public"."seller_webhooks"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_recoveries" ADD CONSTRAINT "webhook_recoveries_webhook_id_fk" FOREIGN KEY ("seller_id","webhook_id") REFERENCES "public"."seller_webhooks"("seller_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "refresh_tokens_session_id_ix" ON "refresh_tokens" USING btree ("session_id");
--> statement-breakpoint
CREATE INDEX "sessions_user_id_ix" ON "sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sessions_expires_at_ix" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "companies_cnpj_uq" ON "companies" USING btree ("cnpj") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_list_ix" ON "companies" USING btree ("id","status","seller_id","created_at") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_status_id_ix" ON "companies" USING btree ("status","id","created_at") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_seller_list_ix" ON "companies" USING btree ("seller_id","id","status","created_at") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_status_submitted_at_ix" ON "companies" USING btree ("status","submitted_at","id","created_at") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_search_ix" ON "companies" USING gin (("commercial_name" || chr(10) || "invoice_name" || chr(10) || "company_name" || chr(10) || "trade_name" || chr(10) || "email" || chr(10) || "contact_email" || chr(10) || "legal_rep_email" || chr(10) || "cnpj") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "company_documents_company_id_ix" ON "company_documents" USING btree ("seller_id","company_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "customers_document_uq" ON "customers" USING btree ("seller_id","document") WHERE "customers"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "customers_external_reference_ix" ON "customers" USING btree ("seller_id","external_reference");
--> statement-breakpoint
CREATE INDEX "customers_search_ix" ON "customers" USING gin ("seller_id",("name" || chr(10) || coalesce("email", '') || chr(10) || coalesce("document", '')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "dispute_files_dispute_id_ix" ON "dispute_files" USING btree ("seller_id","dispute_id");
--> statement-breakpoint
CREATE INDEX "disputes_payment_id_ix" ON "disputes" USING btree ("seller_id","payment_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_payment_id_open_uq" ON "disputes" USING btree ("seller_id","payment_id") WHERE "disputes"."status" in ('open', 'under_review');
--> statement-breakpoint
CREATE INDEX "disputes_status_ix" ON "disputes" USING btree ("seller_id","status","id");
--> statement-breakpoint
CREATE INDEX "disputes_all_ix" ON "disputes" USING btree ("id","status","type");
--> statement-breakpoint
CREATE INDEX "disputes_respond_by_ix" ON "disputes" USING btree ("respond_by") WHERE "disputes"."status" = 'open';
--> statement-breakpoint
CREATE INDEX "disputes_untold_defense_ix" ON "disputes" USING btree ("defended_at") WHERE "disputes"."defended_at" is not null and "disputes"."defense_told_at" is null;
--> statement-breakpoint
CREATE INDEX "fees_seller_id_ix" ON "fees" USING btree ("seller_id","id","created_at");
--> statement-breakpoint
CREATE INDEX "fees_list_ix" ON "fees" USING btree ("id","method","is_active","created_at");
--> statement-breakpoint
CREATE INDEX "payment_links_status_ix" ON "payment_links" USING btree ("seller_id","status","id");
--> statement-breakpoint
CREATE INDEX "payment_links_expires_at_ix" ON "payment_links" USING btree ("expires_at") WHERE "payment_links"."status" in ('active', 'inactive');
--> statement-breakpoint
CREATE INDEX "payment_links_search_ix" ON "payment_links" USING gin ("seller_id",("title" || chr(10) || coalesce("description", '') || chr(10) || coalesce("external_reference", '')) gin_trgm_ops);
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_settlements_installment_uq" ON "payment_settlements" USING btree ("seller_id","payment_id","installment");
--> statement-breakpoint
CREATE INDEX "payment_settlements_available_on_ix" ON "payment_settlements" USING btree ("available_on") WHERE "payment_settlements"."status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "payment_settlements_seller_waiting_ix" ON "payment_settlements" USING btree ("seller_id","available_on") WHERE "payment_settlements"."status" = 'waiting';
--> statement-breakpoint
CREATE INDEX "payments_all_ix" ON "payments" USING btree ("id","status","method","amount");
--> statement-breakpoint
CREATE INDEX "payments_unusual_ix" ON "payments" USING btree ("status","id") WHERE "payments"."status" not in ('paid', 'expired');
--> statement-breakpoint
CREATE INDEX "payments_status_ix" ON "payments" USING btree ("seller_id","status","id");
--> statement-breakpoint
CREATE INDEX "payments_method_ix" ON "payments" USING btree ("seller_id","method","id");
--> statement-breakpoint
CREATE INDEX "payments_amount_ix" ON "payments" USING btree ("seller_id","amount","id");
--> statement-breakpoint
CREATE INDEX "payments_customer_id_ix" ON "payments" USING btree ("seller_id","customer_id","id");
--> statement-breakpoint
CREATE INDEX "payments_payment_link_id_ix" ON "payments" USING btree ("seller_id","payment_link_id","id");
--> statement-breakpoint
CREATE INDEX "payments_external_reference_ix" ON "payments" USING btree ("seller_id","external_reference","id");
--> statement-breakpoint
CREATE INDEX "payments_payer_document_ix" ON "payments" USING btree (("customer" ->> 'document'),"id") WHERE ("payments"."customer" ->> 'document') is not null;
--> statement-breakpoint
CREATE INDEX "payments_pix_end_to_end_id_ix" ON "payments" USING btree ("pix_end_to_end_id") WHERE "payments"."pix_end_to_end_id" is not null;
--> statement-breakpoint
CREATE INDEX "payments_paid_at_ix" ON "payments" USING brin ("paid_at");
--> statement-breakpoint
CREATE INDEX "payments_expires_at_ix" ON "payments" USING btree ("expires_at") WHERE "payments"."status" in ('created', 'pending', 'authorized') and "payments"."expires_at" is not null;
--> statement-breakpoint
CREATE INDEX "payments_unfinished_ix" ON "payments" USING btree ("created_at") WHERE "payments"."status" in ('created', 'processing');
--> statement-breakpoint
CREATE INDEX "refunds_payment_id_ix" ON "refunds" USING btree ("seller_id","payment_id","id");
--> statement-breakpoint
CREATE INDEX "refunds_processing_ix" ON "refunds" USING btree ("created_at") WHERE "refunds"."status" = 'processing';
--> statement-breakpoint
CREATE INDEX "reserve_configs_list_ix" ON "reserve_configs" USING btree ("id","created_at");
--> statement-breakpoint
CREATE INDEX "reserve_holds_payment_id_ix" ON "reserve_holds" USING btree ("seller_id","payment_id");
--> statement-breakpoint
CREATE INDEX "reserve_holds_status_ix" ON "reserve_holds" USING btree ("seller_id","status","id");
--> statement-breakpoint
CREATE INDEX "reserve_holds_all_ix" ON "reserve_holds" USING btree ("id","status","created_at");
--> statement-breakpoint
CREATE INDEX "reserve_holds_release_at_ix" ON "reserve_holds" USING btree ("release_at") WHERE "reserve_holds"."status" = 'held';
--> statement-breakpoint
CREATE INDEX "reserve_holds_seller_release_ix" ON "reserve_holds" USING btree ("seller_id","release_at") WHERE "reserve_holds"."status" = 'held';
--> statement-breakpoint
CREATE UNIQUE INDEX "reserve_releases_running_uq" ON "reserve_releases" USING btree ("seller_id") WHERE "reserve_releases"."completed_at" is null;
--> statement-breakpoint
CREATE INDEX "reserve_releases_list_ix" ON "reserve_releases" USING btree ("reserve_config_id","id");
--> statement-breakpoint
CREATE INDEX "reserve_releases_seller_id_ix" ON "reserve_releases" USING btree ("seller_id");
--> statement-breakpoint
CREATE INDEX "reserve_releases_requested_by_ix" ON "reserve_releases" USING btree ("requested_by");
--> statement-breakpoint
CREATE INDEX "users_role_id_ix" ON "users" USING btree ("role","id","created_at") WHERE "users"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "withdrawal_configs_list_ix" ON "withdrawal_configs" USING btree ("id","created_at");
--> statement-breakpoint
CREATE INDEX "withdrawals_status_ix" ON "withdrawals" USING btree ("seller_id","status","id");
--> statement-breakpoint
CREATE INDEX "withdrawals_requested_at_ix" ON "withdrawals" USING btree ("seller_id","requested_at");
--> statement-breakpoint
CREATE INDEX "withdrawals_list_ix" ON "withdrawals" USING btree ("seller_id","id","created_at");
--> statement-breakpoint
CREATE INDEX "withdrawals_search_ix" ON "withdrawals" USING gin ("seller_id",
  ("id"::text || chr(10) || "pix_key" || chr(10) || coalesce("end_to_end_id", '') || chr(10) || coalesce("description", '')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "withdrawals_all_status_ix" ON "withdrawals" USING btree ("status","id");
--> statement-breakpoint
CREATE INDEX "withdrawals_all_ix" ON "withdrawals" USING btree ("id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_log_list_ix" ON "audit_log" USING btree ("id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_log_seller_id_ix" ON "audit_log" USING btree ("seller_id","id");
--> statement-breakpoint
CREATE INDEX "audit_log_actor_id_ix" ON "audit_log" USING btree ("actor_id","id");
--> statement-breakpoint
CREATE INDEX "audit_log_action_ix" ON "audit_log" USING btree ("action","id");
--> statement-breakpoint
CREATE INDEX "audit_log_target_id_ix" ON "audit_log" USING btree ("target_id","id");
--> statement-breakpoint
CREATE INDEX "daily_revenue_span_ix" ON "daily_revenue" USING btree ("span","starts_on","seller_id");
--> statement-breakpoint
CREATE INDEX "daily_total_changes_seller_ix" ON "daily_total_changes" USING btree ("seller_id","subject");
--> statement-breakpoint
CREATE INDEX "events_waiting_ix" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;
--> statement-breakpoint
CREATE INDEX "ledger_proofs_finished_at_ix" ON "ledger_proofs" USING btree ("finished_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_proofs_running_uq" ON "ledger_proofs" USING btree ((true)) WHERE "ledger_proofs"."finished_at" is null;
--> statement-breakpoint
CREATE INDEX "ledger_postings_account_ix" ON "ledger_postings" USING btree ("seller_id","account","id");
--> statement-breakpoint
CREATE INDEX "ledger_postings_kind_ix" ON "ledger_postings" USING btree ("seller_id","kind","id") WHERE "ledger_postings"."kind" not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released');
--> statement-breakpoint
CREATE INDEX "ledger_postings_all_kind_ix" ON "ledger_postings" USING btree ("kind","id") WHERE "ledger_postings"."kind" not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released');
--> statement-breakpoint
CREATE INDEX "ledger_postings_all_account_ix" ON "ledger_postings" USING btree ("account","id") WHERE "ledger_postings"."account" in ('blocked', 'withdrawing');
--> statement-breakpoint
CREATE INDEX "ledger_postings_all_ix" ON "ledger_postings" USING btree ("id","account","kind") WHERE "ledger_postings"."account" in ('available', 'pending', 'reserved', 'blocked', 'withdrawing');
--> statement-breakpoint
CREATE INDEX "ledger_postings_created_at_ix" ON "ledger_postings" USING brin ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_reference_uq" ON "ledger_transfers" USING btree ("seller_id","reference_id","kind");
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_events_body_hash_uq" ON "provider_events" USING btree ("provider","body_hash");
--> statement-breakpoint
CREATE INDEX "provider_events_status_ix" ON "provider_events" USING btree ("status","id");
--> statement-breakpoint
CREATE INDEX "provider_events_due_ix" ON "provider_events" USING btree ("next_attempt_at") WHERE "provider_events"."next_attempt_at" is not null;
--> statement-breakpoint
CREATE INDEX "rate_limits_window_started_at_ix" ON "rate_limits" USING btree ("window_started_at");
--> statement-breakpoint
CREATE INDEX "seller_webhooks_live_ix" ON "seller_webhooks" USING btree ("seller_id") WHERE "seller_webhooks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "seller_webhooks_due_ix" ON "seller_webhooks" USING btree ("next_due_at") WHERE "seller_webhooks"."status" = 'enabled' and "seller_webhooks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery_id_ix" ON "webhook_attempts" USING btree ("seller_id","delivery_id","attempt");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_id_ix" ON "webhook_deliveries" USING brin ("event_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_uq" ON "webhook_deliveries" USING btree ("seller_id","event_id","webhook_id","replay_number");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_ix" ON "webhook_deliveries" USING btree ("seller_id","webhook_id","id","status","created_at");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed_ix" ON "webhook_deliveries" USING btree ("seller_id","webhook_id","id","status") WHERE "webhook_deliveries"."status" in ('failed', 'canceled');
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_ix" ON "webhook_deliveries" USING btree ("webhook_id","next_attempt_at","id") WHERE "webhook_deliveries"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased_ix" ON "webhook_deliveries" USING btree ("webhook_id") WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."lease_token" is not null;
--> statement-breakpoint
CREATE INDEX "webhook_recoveries_webhook_id_ix" ON "webhook_recoveries" USING btree ("seller_id","webhook_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_recoveries_running_uq" ON "webhook_recoveries" USING btree ("seller_id","webhook_id") WHERE "webhook_recoveries"."finished_at" is null;
--> statement-breakpoint
ALTER TABLE fees ADD CONSTRAINT fees_band_ex EXCLUDE USING gist (
  coalesce(seller_id, '00000000-0000-0000-0000-000000000000'::uuid) WITH =,
  method WITH =,
  int4range(installments_from, installments_to, '[]') WITH &&
) WHERE (is_active);
--> statement-breakpoint
-- Rows that change in place all day keep room on their pages for their next version, and queues are cleaned early.
ALTER TABLE ledger_accounts SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE seller_webhooks SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE webhook_deliveries SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
ALTER TABLE events_default SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
-- Rolling up rewrites the totals of today all day. What was rolled up goes at once.
ALTER TABLE daily_totals SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE daily_revenue SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE daily_total_changes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1);
