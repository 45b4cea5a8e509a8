-- Why: the trigger keeps its plan as long as its connection. One that was made while the tables were empty read all of
-- them for each fee once they had grown: the method of a fee is looked up by key, whatever the statistics say.
-- Lock: none.
ALTER FUNCTION ledger_postings_figures_insert() SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off;
