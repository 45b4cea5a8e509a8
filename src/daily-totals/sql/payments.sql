-- Version: 1

-- A payment counts on the day on which it was made, and on the day on which it was paid.

CREATE OR REPLACE FUNCTION daily_totals_of(payment payments) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total(payment.seller_id, 'payment_created', sao_paulo_date(payment.created_at),
    method => payment.method, status => payment.status, amount => payment.amount)
  UNION ALL
  SELECT paid.* FROM daily_total(payment.seller_id, 'payment_paid', sao_paulo_date(payment.paid_at),
    method => payment.method, status => payment.status, amount => payment.paid_amount,
    fee_amount => payment.fee_amount, net_amount => payment.net_amount) AS paid
  WHERE payment.paid_at IS NOT NULL
$$;
