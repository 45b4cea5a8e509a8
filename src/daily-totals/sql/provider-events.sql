-- Version: 1

-- A provider's callback belongs to no seller.

CREATE OR REPLACE FUNCTION daily_totals_of(event provider_events) RETURNS SETOF daily_total_changes
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT * FROM daily_total('00000000-0000-0000-0000-000000000000', 'provider_event', sao_paulo_date(event.received_at),
    status => event.status)
$$;
