-- The state of the simulated PSP. Amounts are centavos, instants milliseconds since 1970 on the PSP's clock.

CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS accounts (
  merchant_id TEXT PRIMARY KEY,
  balance INTEGER NOT NULL DEFAULT 0,
  -- What was changed of scopes and fees, as JSON.
  terms TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS tokens (
  token TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL,
  -- The part of the address that nobody can guess.
  token TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('cob', 'cobv')),
  txid TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS locations_period ON locations (merchant_id, created_at);

CREATE TABLE IF NOT EXISTS charges (
  merchant_id TEXT NOT NULL,
  txid TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('cob', 'cobv')),
  status TEXT NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0,
  location_id INTEGER REFERENCES locations (id),
  created_at INTEGER NOT NULL,
  -- The first request, by which a repeat is known, and what is in force, both as JSON.
  requested TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (merchant_id, txid)
) STRICT;
CREATE INDEX IF NOT EXISTS charges_txid ON charges (txid);
CREATE INDEX IF NOT EXISTS charges_period ON charges (merchant_id, kind, created_at);

-- What a charge said before it was revised.
CREATE TABLE IF NOT EXISTS charge_revisions (
  merchant_id TEXT NOT NULL,
  txid TEXT NOT NULL,
  revision INTEGER NOT NULL,
  status TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (merchant_id, txid, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS received_pix (
  e2e_id TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  txid TEXT,
  key TEXT NOT NULL,
  amount INTEGER NOT NULL,
  -- How the amount is made up, as JSON in the standard's form.
  components TEXT NOT NULL,
  fee INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  payer_name TEXT NOT NULL,
  payer_document TEXT NOT NULL,
  payer_bank TEXT NOT NULL,
  payer_info TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS received_pix_period ON received_pix (merchant_id, received_at);
CREATE INDEX IF NOT EXISTS received_pix_txid ON received_pix (merchant_id, txid);

CREATE TABLE IF NOT EXISTS refunds (
  rtr_id TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  e2e_id TEXT NOT NULL REFERENCES received_pix (e2e_id),
  id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  nature TEXT,
  description TEXT,
  status TEXT NOT NULL,
  reason TEXT,
  requested_at INTEGER NOT NULL,
  settled_at INTEGER,
  -- When it settles by itself, and how; null while it hangs or once it is done.
  settles_at INTEGER,
  settles_as TEXT,
  UNIQUE (e2e_id, id)
) STRICT;
CREATE INDEX IF NOT EXISTS refunds_due ON refunds (settles_at) WHERE settles_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS payouts (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  e2e_id TEXT NOT NULL UNIQUE,
  amount INTEGER NOT NULL,
  key TEXT NOT NULL,
  payer_info TEXT,
  -- Where to, as JSON in the form of the request.
  destination TEXT NOT NULL,
  requested TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Why it failed, as JSON.
  error TEXT,
  requested_at INTEGER NOT NULL,
  settled_at INTEGER,
  settles_at INTEGER,
  settles_as TEXT,
  PRIMARY KEY (merchant_id, id)
) STRICT;
CREATE INDEX IF NOT EXISTS payouts_period ON payouts (merchant_id, requested_at);
CREATE INDEX IF NOT EXISTS payouts_due ON payouts (settles_at) WHERE settles_at IS NOT NULL;

-- Money of a payout that came back.
CREATE TABLE IF NOT EXISTS payout_returns (
  rtr_id TEXT PRIMARY KEY,
  e2e_id TEXT NOT NULL REFERENCES payouts (e2e_id),
  amount INTEGER NOT NULL,
  reason TEXT,
  returned_at INTEGER NOT NULL
) STRICT;

-- Who is behind a Pix key, as far as tests say so.
CREATE TABLE IF NOT EXISTS pix_keys (key TEXT PRIMARY KEY, name TEXT NOT NULL, document TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS infractions (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL,
  e2e_id TEXT NOT NULL REFERENCES received_pix (e2e_id),
  amount INTEGER NOT NULL,
  status TEXT NOT NULL,
  situation TEXT,
  comment TEXT,
  defence TEXT,
  analyst_reason TEXT,
  opened_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  defended_at INTEGER,
  finished_at INTEGER,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS infractions_period ON infractions (merchant_id, opened_at);

-- Every movement of an account, as a statement shows it.
CREATE TABLE IF NOT EXISTS movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL,
  -- The letters of Efí's reconciliation statement: PR, TPR, PEC, PEB, EPE, PDE, PDR, TPE, ETPE.
  kind TEXT NOT NULL,
  -- Signed: what the account gains.
  amount INTEGER NOT NULL,
  at INTEGER NOT NULL,
  e2e_id TEXT,
  txid TEXT,
  rtr_id TEXT,
  -- The merchant's own id of a refund or payout.
  reference TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS movements_period ON movements (merchant_id, at);

CREATE TABLE IF NOT EXISTS reports (
  id TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  date TEXT NOT NULL,
  kinds TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  ready_at INTEGER NOT NULL,
  UNIQUE (merchant_id, date, kinds)
) STRICT;

CREATE TABLE IF NOT EXISTS webhooks (
  key TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  url TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS callbacks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL,
  key TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  -- waiting, delivered, dropped, given_up
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Null while a fault holds it back.
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_status INTEGER,
  last_error TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_due ON callbacks (due_at) WHERE state = 'waiting';
