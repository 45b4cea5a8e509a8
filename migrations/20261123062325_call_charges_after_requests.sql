-- Why: the charge of a request with an Idempotency-Key is called after the request, so that a repeat finds it also where a
-- restore has lost the payment.
-- Lock: payments, exclusively, for the moment that a nullable column takes; no row is written.
ALTER TABLE "payments" ADD COLUMN "pix_txid" text;