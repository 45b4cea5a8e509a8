-- Version: 2

-- A posting counts on its day where it is a row of a seller's statement, a fee, a cost or a loss, or where money came from or
-- went to the outside for another reason than a payment: that is known from the payments. Fees and costs count by whose
-- services they are for.

CREATE OR REPLACE FUNCTION daily_totals_of(posting ledger_postings) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.* FROM daily_total(posting.seller_id, 'posting', sao_paulo_date(posting.created_at),
    method => posting.method, account => posting.account, kind => posting.kind,
    direction => CASE WHEN posting.amount > 0 THEN 'credit' ELSE 'debit' END,
    type => CASE WHEN posting.account IN ('fee_revenue', 'provider_cost') THEN posting.provider END,
    amount => posting.amount) AS total
  WHERE posting.account IN ('available', 'pending', 'reserved', 'blocked', 'withdrawing', 'fee_revenue', 'provider_cost', 'losses')
    OR posting.account IN ('clearing', 'receivable')
      AND posting.kind NOT IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')
$$;
