/** What stands in each column of row `i`, as SQL. */
export type Columns = Record<string, string>

const created: Columns = { created_at: 'pg_temp.at(i)', updated_at: 'pg_temp.at(i)' }
const keyed = (kind: number): Columns => ({ seller_id: 'pg_temp.seller(i)', id: `pg_temp.id(${kind}, i)`, ...created })

const PAYMENT: Columns = {
  ...keyed(2),
  customer_id: 'case when i % 2 = 0 then pg_temp.id(3, i / 100 * 100) end',
  payment_link_id: 'case when i % 5 = 0 then pg_temp.id(4, i / 100 * 100) end',
  external_reference: "'order-' || i",
  method: "pg_temp.pick(i / 7, 'pix', 'credit_card', 'boleto')",
  status: "pg_temp.pick(i, 'paid', 'expired', 'in_dispute', 'refunded', 'charged_back')",
  amount: '100 + i',
  paid_amount: '100 + i',
  installments: '1',
  description: "'Pedido ' || pg_temp.tag(i)",
  customer: `jsonb_build_object('name', 'Cliente ' || pg_temp.tag(i), 'document', lpad(i::text, 11, '0'),
    'email', pg_temp.tag(i) || '@example.com', 'phone', null)`,
  provider: "'sandbox'",
  reserve_days: '30',
  paid_at: 'pg_temp.at(i)',
}

const SETTLEMENT: Columns = {
  ...keyed(20),
  payment_id: 'pg_temp.id(2, i)',
  installment: '1',
  amount: '100 + i',
  available_on: 'pg_temp.at(i)::date',
  status: "pg_temp.pick(i, 'available', 'waiting', 'canceled')",
  settled_at: "case when pg_temp.pick(i, 'available', 'waiting', 'canceled') <> 'waiting' then pg_temp.at(i) end",
}

const CUSTOMER: Columns = {
  ...keyed(3),
  name: "'Cliente ' || pg_temp.tag(i)",
  email: "pg_temp.tag(i) || '@example.com'",
  document: "lpad(i::text, 11, '0')",
  document_type: "'cpf'",
  external_reference: "'client-' || i",
}

const SAVED_CARD: Columns = {
  ...keyed(21),
  customer_id: 'pg_temp.id(3, i / 1000 * 1000)',
  status: "pg_temp.pick(i, 'deleted', 'active', 'deleting', 'saving')",
  ...{ brand: "'visa'", last4: "'0001'", exp_month: '12', exp_year: '2030' },
}

const PAYMENT_LINK: Columns = {
  ...keyed(4),
  hash: "'hash' || i",
  title: "'Produto ' || pg_temp.tag(i)",
  amount: '1000',
  external_reference: "'link-' || i",
  status: "pg_temp.pick(i, 'active', 'inactive', 'completed', 'expired')",
}

const WITHDRAWAL: Columns = {
  ...keyed(5),
  amount: '1000',
  net_amount: '1000',
  pix_key_type: "'email'",
  pix_key: "pg_temp.tag(i) || '@example.com'",
  description: "'Saque ' || pg_temp.tag(i)",
  status: "pg_temp.pick(i, 'completed', 'failed', 'pending_approval', 'rejected')",
  provider: "'sandbox'",
  end_to_end_id: "'E' || lpad(i::text, 31, '0')",
}

const REFUND: Columns = {
  ...keyed(6),
  payment_id: 'pg_temp.id(2, i)',
  amount: '100',
  from_available_amount: '100',
  requested_by: 'pg_temp.seller(i)',
  status: "pg_temp.pick(i, 'completed', 'failed', 'processing')",
}

const DISPUTE: Columns = {
  ...keyed(7),
  payment_id: 'pg_temp.id(2, i)',
  type: "case when i % 10 = 3 then 'chargeback' else 'med' end",
  respond_by: 'pg_temp.at(i)',
  status: "pg_temp.pick(i, 'won', 'lost', 'open', 'under_review')",
  amount: '100',
  provider: "'sandbox'",
}

const COMPANY: Columns = {
  ...keyed(8),
  status: "pg_temp.pick(i, 'approved', 'awaiting_approval', 'rejected', 'suspended', 'draft')",
  submitted_at: 'pg_temp.at(i)',
  commercial_name: "'Loja ' || pg_temp.tag(i)",
  contact_email: "pg_temp.tag(i) || '@example.com'",
  cnpj: "lpad(i::text, 14, '0')",
  company_name: "'Loja ' || pg_temp.tag(i) || ' Ltda'",
  trade_name: "'Loja ' || pg_temp.tag(i)",
  email: "pg_temp.tag(i) || '@example.com'",
  address_state: "'SP'",
  legal_rep_cpf: "'52998224725'",
  legal_rep_email: "pg_temp.tag(i) || '@example.com'",
}

const FEE: Columns = {
  ...keyed(9),
  method: "pg_temp.pick(i, 'pix', 'credit_card', 'boleto')",
  installments_from: '1',
  installments_to: '1',
}

const USER: Columns = {
  ...created,
  id: 'pg_temp.id(1, i)',
  email: "pg_temp.tag(i) || '@bulk.example.com'",
  name: "'Pessoa ' || pg_temp.tag(i)",
  company_name: "'Loja ' || pg_temp.tag(i)",
  role: "case when i % 10 = 0 then 'admin' else 'seller' end",
  approved: 'true',
}

const WITHDRAWAL_CONFIG: Columns = {
  ...created,
  id: 'pg_temp.id(10, i)',
  seller_id: 'pg_temp.id(1, i)',
  min_amount: '1000',
  max_amount: '2000',
}

const RESERVE_CONFIG: Columns = {
  ...created,
  id: 'pg_temp.id(11, i)',
  seller_id: 'pg_temp.id(1, i)',
  days: '30',
}

const RESERVE_HOLD: Columns = {
  ...keyed(18),
  payment_id: 'pg_temp.id(2, i)',
  method: "'pix'",
  amount: '100',
  status: "pg_temp.pick(i, 'released', 'held', 'consumed', 'frozen')",
}

// One configuration in fifty had its reserves released, fifty times.
const RESERVE_RELEASE: Columns = {
  ...created,
  id: 'pg_temp.id(19, i)',
  seller_id: 'pg_temp.id(1, i)',
  reserve_config_id: 'pg_temp.id(11, i / 50 * 50)',
  completed_at: 'pg_temp.at(i)',
}

const EVENT: Columns = {
  seller_id: 'pg_temp.seller(i)',
  id: 'pg_temp.id(12, i)',
  type: "pg_temp.pick(i, 'payment.paid', 'payment.expired', 'refund.completed', 'company.approved')",
  body: `json_build_object('id', pg_temp.id(12, i), 'type', 'payment.paid', 'createdAt', pg_temp.at(i),
    'apiVersion', '2026-11-01', 'data', json_build_object('id', pg_temp.id(2, i)))`,
  created_at: 'pg_temp.at(i)',
  fanned_out_at: 'pg_temp.at(i)',
}

const DELIVERY: Columns = {
  ...keyed(13),
  webhook_id: `case when i % 10 < 6 then current_setting('bulk.mainWebhook')::uuid
    else current_setting('bulk.secondWebhook')::uuid end`,
  event_id: 'pg_temp.id(12, i)',
  event_type: "'payment.paid'",
  status: "pg_temp.pick(i, 'succeeded', 'failed', 'pending', 'canceled')",
}

const AUDIT: Columns = {
  id: 'pg_temp.id(14, i)',
  actor_id: "case when i % 10 < 6 then current_setting('bulk.admin')::uuid else pg_temp.id(1, i / 10 * 10) end",
  actor_role: "'admin'",
  action: "pg_temp.pick(i, 'company.approve', 'withdrawal.approve', 'fee.create', 'user.delete')",
  target_type: "'company'",
  target_id: 'pg_temp.id(8, i / 4)',
  seller_id: 'pg_temp.seller(i)',
  created_at: 'pg_temp.at(i)',
}

const PROVIDER_EVENT: Columns = {
  id: 'pg_temp.id(15, i)',
  provider: "'sandbox'",
  body_hash: 'md5(i::text)',
  body: "'{}'",
  status: "pg_temp.pick(i, 'processed', 'ignored', 'unmatched', 'failed')",
}

const RECEIVED_PIX: Columns = {
  ...created,
  provider: "'efi'",
  end_to_end_id: "'E' || i",
  id: 'pg_temp.id(22, i)',
  txid: "'charge' || i",
  amount: '100 + i',
  status: "pg_temp.pick(i, 'booked', 'refunded', 'open', 'refunding', 'explained')",
  received_at: 'pg_temp.at(i)',
}

const KIND = `pg_temp.pick(i / 2, 'payment_received', 'withdrawal_requested', 'refund_requested', 'dispute_opened')`

// Every transfer has two legs: its postings are the rows 2n and 2n + 1, of one seller.
const TRANSFER: Columns = {
  seller_id: 'pg_temp.seller(i)',
  id: 'pg_temp.id(16, i)',
  kind: KIND.replace('i / 2', 'i'),
  reference_type: "'payment'",
  reference_id: 'pg_temp.id(2, i)',
  description: "'Movimento'",
  legs: '2',
  created_at: 'pg_temp.at(i)',
}

const POSTING: Columns = {
  seller_id: 'pg_temp.seller(i / 2)',
  id: 'pg_temp.id(17, i)',
  transfer_id: 'pg_temp.id(16, i / 2)',
  account:
    "case when i % 2 = 1 then 'clearing' else pg_temp.pick(i / 2, 'available', 'pending', 'reserved', 'blocked') end",
  kind: KIND,
  method: "'pix'",
  leg: 'i % 2 + 1',
  legs: '2',
  amount: 'case when i % 2 = 1 then -100 else 100 end',
  balance_after_amount: '100',
  created_at: 'pg_temp.at(i)',
}

/** `factor`: how many rows there are to one of another table. */
export type BulkTable = [table: string, columns: Columns, factor?: number]

/** What `fillInBulk` fills: the tables of all lists. */
export const TABLES: readonly BulkTable[] = [
  ['users', USER],
  ['payments', PAYMENT],
  ['payment_settlements', SETTLEMENT],
  ['customers', CUSTOMER],
  ['saved_cards', SAVED_CARD],
  ['payment_links', PAYMENT_LINK],
  ['withdrawals', WITHDRAWAL],
  ['refunds', REFUND],
  ['disputes', DISPUTE],
  ['companies', COMPANY],
  ['fees', FEE],
  ['withdrawal_configs', WITHDRAWAL_CONFIG],
  ['reserve_configs', RESERVE_CONFIG],
  ['reserve_holds', RESERVE_HOLD],
  ['reserve_releases', RESERVE_RELEASE],
  ['events', EVENT],
  ['webhook_deliveries', DELIVERY],
  ['audit_log', AUDIT],
  ['provider_events', PROVIDER_EVENT],
  ['received_pix', RECEIVED_PIX],
  ['ledger_transfers', TRANSFER],
  ['ledger_postings', POSTING, 2],
]
