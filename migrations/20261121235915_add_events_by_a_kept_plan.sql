-- Why: planning the statement cost a quarter of what writing a payment's event costs. A function keeps its plan for as long
-- as the connection lives, also behind a pooler, where no prepared statement may.
-- Lock: none.
CREATE FUNCTION add_events(seller_ids uuid[], ids uuid[], types text[], bodies text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
  -- One body a line: JSON on one line holds no line break.
  INSERT INTO events (seller_id, id, type, body, created_at)
  SELECT given.*, at FROM unnest(seller_ids, ids, types, string_to_array(bodies, chr(10))) AS given;
END $body$;
