-- Why: a payment with a due date costs more or less by the day, and tells of what the amount was made that was paid.
-- Lock: nullable columns, instant. Payments of before have no terms.
ALTER TABLE "payments" ADD COLUMN "due_terms" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_fine_amount" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_interest_amount" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_discount_amount" bigint;
