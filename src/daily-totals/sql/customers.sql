-- Version: 1

-- A customer counts until they are deleted.

CREATE OR REPLACE FUNCTION daily_totals_of(customer customers) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.* FROM daily_total(customer.seller_id, 'customer', sao_paulo_date(customer.created_at)) AS total
  WHERE customer.deleted_at IS NULL
$$;
