-- Version: 1

CREATE OR REPLACE FUNCTION daily_totals_of(dispute disputes) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total(dispute.seller_id, 'dispute', sao_paulo_date(dispute.created_at),
    type => dispute.type, status => dispute.status, amount => dispute.amount)
$$;
