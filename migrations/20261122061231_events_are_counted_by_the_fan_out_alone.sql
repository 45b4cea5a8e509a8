-- Why: each event of a payment paid for a look whether it was born with its deliveries, as the test events of webhooks
-- were: those are now marked like all others, by an update, and counted by its trigger.
-- Lock: events, for a moment. A test event that an older version sends meanwhile is missing in the sums until they are repaired.
DROP TRIGGER events_figures_insert ON events;
--> statement-breakpoint
DROP FUNCTION events_figures_insert();
