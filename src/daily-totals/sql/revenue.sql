-- Version: 3

-- What a daily total adds to the reports of what sellers were paid and what the platform earned by it; null is nothing. What
-- is debited there, fees given back and costs, turns positive. Every kind of transfer has its place among the fees, so that
-- the columns of fees always sum to the account.

CREATE OR REPLACE FUNCTION revenue_of(total daily_total_changes) RETURNS TABLE (
  seller_id uuid, day date, method text, paid_count bigint, gross_volume_amount bigint, payment_fees_amount bigint,
  withdrawal_fees_amount bigint, dispute_fees_amount bigint, refunded_fees_amount bigint, provider_cost_amount bigint,
  refunds_amount bigint, lost_disputes_amount bigint, withdrawn_amount bigint, withdrawals_amount bigint,
  fees_count bigint, movements_count bigint, losses_amount bigint
) IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.seller_id, total.day, coalesce(total.method, '') AS method,
    CASE WHEN is_paid THEN total.rows_count END AS paid_count,
    CASE WHEN is_paid THEN total.amount END AS gross_volume_amount,
    CASE WHEN is_fee AND is_of_payment THEN total.amount END AS payment_fees_amount,
    CASE WHEN is_fee AND total.kind IN ('withdrawal_requested', 'withdrawal_completed', 'withdrawal_reversed')
      THEN total.amount END AS withdrawal_fees_amount,
    CASE WHEN is_fee AND total.kind IN ('dispute_opened', 'dispute_won', 'dispute_lost')
      THEN total.amount END AS dispute_fees_amount,
    CASE WHEN is_fee AND total.kind IN ('refund_requested', 'refund_failed', 'dispute_reversed', 'withdrawal_returned',
        'adjustment_posted', 'loss_written_off', 'loss_recovered', 'treasury_paid_out', 'treasury_returned', 'exception_resolved',
        'payer_refund_requested', 'payer_refund_completed', 'payer_refund_failed')
      THEN -total.amount END AS refunded_fees_amount,
    CASE WHEN is_cost THEN -total.amount END AS provider_cost_amount,
    CASE WHEN is_outside AND total.kind IN ('refund_requested', 'refund_failed') THEN total.amount END AS refunds_amount,
    CASE WHEN is_outside AND total.kind IN ('dispute_lost', 'dispute_reversed') THEN total.amount END AS lost_disputes_amount,
    CASE WHEN total.account = 'clearing' AND total.kind IN ('withdrawal_completed', 'withdrawal_returned')
      THEN total.amount END AS withdrawn_amount,
    CASE WHEN total.account IN ('withdrawing', 'available') AND total.kind IN ('withdrawal_completed', 'withdrawal_returned')
      THEN -total.amount END AS withdrawals_amount,
    CASE WHEN is_fee OR is_cost OR is_loss THEN total.rows_count END AS fees_count,
    CASE WHEN NOT is_paid THEN total.rows_count END AS movements_count,
    CASE WHEN is_loss THEN -total.amount END AS losses_amount
  FROM (SELECT
    total.subject = 'payment_paid' AS is_paid,
    total.subject = 'posting' AND total.account = 'fee_revenue' AS is_fee,
    total.subject = 'posting' AND total.account = 'provider_cost' AS is_cost,
    total.subject = 'posting' AND total.account = 'losses' AS is_loss,
    total.account IN ('clearing', 'receivable') AS is_outside,
    total.kind IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released') AS is_of_payment
  ) AS what
  WHERE is_paid OR is_fee OR is_cost OR is_loss OR total.subject = 'posting' AND NOT is_of_payment
$$;

-- What processes of the version before ask: they know no losses.
CREATE OR REPLACE FUNCTION daily_revenue_of(total daily_total_changes) RETURNS TABLE (
  seller_id uuid, day date, method text, paid_count bigint, gross_volume_amount bigint, payment_fees_amount bigint,
  withdrawal_fees_amount bigint, dispute_fees_amount bigint, refunded_fees_amount bigint, provider_cost_amount bigint,
  refunds_amount bigint, lost_disputes_amount bigint, withdrawn_amount bigint, withdrawals_amount bigint,
  fees_count bigint, movements_count bigint
) IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT seller_id, day, method, paid_count, gross_volume_amount, payment_fees_amount, withdrawal_fees_amount,
    dispute_fees_amount, refunded_fees_amount, provider_cost_amount, refunds_amount, lost_disputes_amount, withdrawn_amount,
    withdrawals_amount, fees_count, movements_count
  FROM revenue_of(total)
$$;
