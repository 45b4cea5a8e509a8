-- Why: a password that the platform made up and printed opens its account for a day, and only to choose another.
-- Lock: nullable column without a default, instant. Null: somebody chose the password.
ALTER TABLE "users" ADD COLUMN "password_expires_at" timestamp (3) with time zone;