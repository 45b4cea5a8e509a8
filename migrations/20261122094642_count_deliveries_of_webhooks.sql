-- Why: the list of a webhook's deliveries counted those of thirty days in an index to know its total.
-- Lock: webhook_deliveries, while those that are there are counted.
CREATE FUNCTION webhook_deliveries_figures_insert() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'delivery', sao_paulo_date(created_at), ARRAY[webhook_id::text], count(*), 0, 0, 0
  FROM new_rows GROUP BY 1, 3, 4;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE FUNCTION webhook_deliveries_figures_delete() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'delivery', sao_paulo_date(created_at), ARRAY[webhook_id::text], -count(*), 0, 0, 0
  FROM old_rows GROUP BY 1, 3, 4;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_figures_insert AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_figures_insert();
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_figures_delete AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_figures_delete();
--> statement-breakpoint
DO $do$
DECLARE
  sources constant text := rtrim(pg_get_viewdef('figure_sources'), ';');
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW figure_sources AS ' || sources || $view$
    UNION ALL SELECT seller_id, 'delivery', id, created_at, ARRAY[webhook_id::text], 0, 0, 0, 1 FROM webhook_deliveries$view$;
END $do$;
--> statement-breakpoint
INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount FROM figure_differences
  WHERE subject = 'delivery';
