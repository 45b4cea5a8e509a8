-- Version: 1

-- What is to become available, on the day on which it does: parts of payments that wait, and reserves that are held.

CREATE OR REPLACE FUNCTION daily_totals_of(part payment_settlements) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.* FROM daily_total(part.seller_id, 'due', part.available_on,
    account => 'pending', amount => part.amount - part.canceled_amount) AS total
  WHERE part.status = 'waiting'
$$;

CREATE OR REPLACE FUNCTION daily_totals_of(hold reserve_holds) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT total.* FROM daily_total(hold.seller_id, 'due', sao_paulo_date(hold.release_at),
    account => 'reserved', amount => hold.amount - hold.released_amount - hold.consumed_amount) AS total
  WHERE hold.status = 'held'
$$;
