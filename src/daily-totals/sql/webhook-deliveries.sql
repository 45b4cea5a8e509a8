-- Version: 1

CREATE OR REPLACE FUNCTION daily_totals_of(delivery webhook_deliveries) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total(delivery.seller_id, 'delivery', sao_paulo_date(delivery.created_at),
    webhook_id => delivery.webhook_id)
$$;
