-- Version: 1

-- An event counts once its deliveries were made, so that the transaction which writes it, a payment's mostly, pays nothing
-- for it. Whoever counts events adds those that wait.

CREATE OR REPLACE FUNCTION daily_total_of_event(event events) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total(event.seller_id, 'event', sao_paulo_date(event.created_at), type => event.type)
$$;

CREATE OR REPLACE FUNCTION daily_totals_of(event events) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.* FROM daily_total_of_event(event) AS total WHERE event.fanned_out_at IS NOT NULL
$$;
