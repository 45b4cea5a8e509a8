-- Version: 1

CREATE OR REPLACE FUNCTION daily_totals_of(withdrawal withdrawals) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total(withdrawal.seller_id, 'withdrawal', sao_paulo_date(withdrawal.created_at),
    status => withdrawal.status, amount => withdrawal.amount)
$$;
