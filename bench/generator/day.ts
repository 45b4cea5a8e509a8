import type { Columns } from './insert.ts'

/** The sellers that payments belong to: the first one has three of ten payments. */
export const SELLERS = 1_000
export const DAYS = 365
const EVENT_DAYS = 30

const DAY_MS = 86_400_000

/** How many payments there are in all, and when the last one is made. */
export type Plan = { payments: number; untilMs: number }

// Constants are written into the text of the functions: reading a setting for each row costs more than the row.
/** Made once per connection. Times are milliseconds until they stand in a column. */
export const functionsOf = ({ payments, untilMs }: Plan): string[] => [
  // When day d begins, from ${DAYS} days before the end.
  `create function pg_temp.day(d int) returns bigint immutable language sql as
    $$ select ${untilMs - DAYS * DAY_MS} + d * ${DAY_MS}::bigint $$`,
  `create function pg_temp.at(ms bigint) returns timestamptz immutable language sql as $$ select to_timestamp(ms / 1000.0::float8) $$`,
  // A UUIDv7 of an instant: the kind and number of the thing stand where others are random.
  `create function pg_temp.id(ms bigint, kind int, n bigint) returns uuid immutable language sql as $$
    select (encode(int8send(ms << 16 | 28672 | kind), 'hex') || encode(int8send(-9223372036854775808 | n), 'hex'))::uuid $$`,
  `create function pg_temp.seller(number bigint) returns uuid immutable language sql as $$
    select ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid $$`,
  `create function pg_temp.customer(number bigint, n bigint) returns uuid immutable language sql as
    $$ select pg_temp.id(${untilMs - (DAYS + 1) * DAY_MS} + n, 3, number * 1000000 + n) $$`,
  `create function pg_temp.customers_of(number bigint) returns bigint immutable language sql as
    $$ select greatest(1, case number when 1 then ${Math.ceil(payments * 0.03)} else ${Math.ceil(payments / 10_000)} end)::bigint $$`,
  // The payments made on day d by one lane of sellers, from their numbers alone: the same whenever they are asked for.
  `create function pg_temp.made(d int, lane int) returns table (
    i bigint, number bigint, h bigint, seller_id uuid, id uuid, made_ms bigint, paid_ms bigint, method text,
    status text, amount bigint, fee bigint, net bigint, reserve bigint
  ) immutable language sql as $$
    select i, number, h, pg_temp.seller(number), pg_temp.id(made_ms, 2, i), made_ms,
      case when status in ('paid', 'refunded', 'in_dispute') then paid_ms end, method, status, amount, fee, amount - fee,
      case when method = 'pix' and number % 10 < 2 then (amount - fee) / 10 else 0 end
    from (
      select *, least(amount / 100 + 30, amount) as fee, least(made_ms + h / 11 % 60000, pg_temp.day(d + 1) - 10) as paid_ms,
        case when made_ms > ${untilMs - DAY_MS} and chance < 150 then 'pending'
          when chance < 150 then 'expired' when chance < 155 then 'failed' when chance < 160 then 'canceled'
          when method = 'pix' and chance < 172 then 'refunded' when method = 'pix' and chance < 175 then 'in_dispute'
          else 'paid' end as status
      from (
        select i, h, case when h % 10 < 3 then 1 else 2 + h / 10 % ${SELLERS - 1} end as number,
          case when h / 1000000 % 10 < 7 then 'pix' when h / 1000000 % 10 < 9 then 'credit_card' else 'boleto' end as method,
          h / 10000000 % 1000 as chance, 500 + h / 100000000000 % 40000 as amount,
          pg_temp.day(0) + i * ${DAYS * DAY_MS} / ${payments} as made_ms
        from generate_series(${payments}::bigint * d / ${DAYS}, ${payments}::bigint * (d + 1) / ${DAYS} - 1) as i
        cross join lateral (select hashint8extended(i, 42) & 4611686018427387903 as h) as hashed
      ) as chosen where (number = 1 or number % 7 < 2) = (lane = 1)
    ) as priced $$`,
  `create temporary table balances (seller_id uuid, account text, balance bigint, last_id text, primary key (seller_id, account))`,
  // The legs of each kind of transfer: an account and how many times each of the four amounts.
  `create temporary table shapes (kind text, methods text[], leg int, account text, amounts int, fees int, nets int, reserves int)`,
  `insert into shapes values
    ('payment_received', '{pix,boleto}', 0, 'clearing', -1, 0, 0, 0),
    ('payment_received', '{credit_card}', 0, 'receivable', -1, 0, 0, 0),
    ('payment_received', '{pix}', 1, 'available', 0, 0, 1, 0),
    ('payment_received', '{boleto,credit_card}', 1, 'pending', 0, 0, 1, 0),
    ('payment_received', null, 2, 'fee_revenue', 0, 1, 0, 0),
    ('reserve_held', null, 0, 'available', 0, 0, 0, -1), ('reserve_held', null, 1, 'reserved', 0, 0, 0, 1),
    ('reserve_released', null, 0, 'reserved', 0, 0, 0, -1), ('reserve_released', null, 1, 'available', 0, 0, 0, 1),
    ('refund_requested', null, 0, 'available', -1, 0, 0, 0), ('refund_requested', null, 1, 'clearing', 1, 0, 0, 0),
    ('dispute_opened', null, 0, 'available', -1, 0, 0, 0), ('dispute_opened', null, 1, 'blocked', 1, 0, 0, 0),
    ('withdrawal_requested', null, 0, 'available', -1, 0, 0, 0), ('withdrawal_requested', null, 1, 'withdrawing', 1, 0, 0, 0),
    ('withdrawal_completed', null, 0, 'withdrawing', -1, 0, 0, 0), ('withdrawal_completed', null, 1, 'clearing', 0, 0, 1, 0),
    ('withdrawal_completed', null, 2, 'fee_revenue', 0, 1, 0, 0),
    ('payment_settled', null, 0, 'pending', 0, 0, -1, 0), ('payment_settled', null, 1, 'available', 0, 0, 1, 0),
    ('payment_settled', '{credit_card}', 2, 'receivable', 1, 0, 0, 0),
    ('payment_settled', '{credit_card}', 3, 'clearing', -1, 0, 0, 0)`,
  'create temporary table made as select * from pg_temp.made(0, 0) limit 0',
  "create temporary table due as select 0 as on_day, text 'settled' as why, made.* from made",
  'create index due_ix on due (on_day)',
]

const PAID = 'i, number, h, seller_id, paid_ms as at'
const FIGURES = 'method, amount, fee, net, reserve'

/** Of one day and lane (`$1`, `$2`): its payments, and those of earlier days of which a part becomes available. */
export const PREPARE_DAY = [
  'drop table if exists made, moves, legs',
  'create temporary table made as select * from pg_temp.made($1, $2)',
  `create temporary table moves as
    select *, row_number() over (order by at, i, step) as place from (
      select ${PAID}, 1 as step, 'payment_received' as kind, 'payment' as reference_type, id as reference_id, ${FIGURES}
      from made where paid_ms is not null
      union all
      select ${PAID}, 2, 'reserve_held', 'hold', pg_temp.id(paid_ms, 6, i), ${FIGURES}
      from made where paid_ms is not null and reserve > 0
      union all
      select ${PAID}, 3, 'refund_requested', 'refund', pg_temp.id(paid_ms, 7, i), ${FIGURES} from made where status = 'refunded'
      union all
      select ${PAID}, 3, 'dispute_opened', 'dispute', pg_temp.id(paid_ms, 8, i), ${FIGURES} from made where status = 'in_dispute'
      union all
      select ${PAID}, step, 'withdrawal_' || what, 'withdrawal', pg_temp.id(paid_ms, 9, i), method, net / 2, 100, net / 2 - 100, 0
      from made cross join (values (4, 'requested'), (5, 'completed')) as done (step, what)
      where status = 'paid' and method = 'pix' and h / 13 % 50 = 0
      union all
      select i, number, h, seller_id, pg_temp.day($1) + i % 1000, 0,
        case why when 'settled' then 'payment_settled' else 'reserve_released' end,
        case why when 'settled' then 'settlement' else 'hold' end,
        pg_temp.id(paid_ms, case why when 'settled' then 5 else 6 end, i), ${FIGURES}
      from due where on_day = $1
    ) as every_move`,
  'delete from due where on_day = $1',
  `insert into due
    select $1 + case method when 'boleto' then 1 else 30 end, 'settled', * from made where method <> 'pix' and status = 'paid'
    union all
    select $1 + 30, 'released', * from made where reserve > 0 and paid_ms is not null`,
  `create temporary table legs as
    select seller_id, at, kind, pg_temp.id(at, 16, place << 40 | i) as transfer_id, pg_temp.id(at, 17, place * 4 + leg) as id,
      account, amounts * amount + fees * fee + nets * net + reserves * reserve as amount
    from moves join shapes using (kind) where methods is null or method = any(methods)`,
]

const dated: Columns = { created_at: 'pg_temp.at(made_ms)', updated_at: 'pg_temp.at(coalesce(paid_ms, made_ms))' }
const recent = `$1 >= ${DAYS - EVENT_DAYS}`
const EVENT_ID = 'pg_temp.id(happened_ms, 12, i * 2 + step)'

/** What a day adds to each table. `$1` is the day, `$2` the lane. */
export const TABLES: readonly { table: string; columns: Columns; from: string }[] = [
  {
    table: 'payments',
    from: 'made',
    columns: {
      ...dated,
      seller_id: 'seller_id',
      id: 'id',
      customer_id: 'case when i % 2 = 0 then pg_temp.customer(number, h / 17 % pg_temp.customers_of(number)) end',
      external_reference: "'order-' || i",
      method: 'method',
      status: 'status',
      amount: 'amount',
      paid_amount: 'case when paid_ms is null then 0 else amount end',
      refunded_amount: "case when status = 'refunded' then amount else 0 end",
      fee_amount: 'case when paid_ms is null then 0 else fee end',
      net_amount: 'case when paid_ms is null then 0 else net end',
      reserve_amount: 'case when paid_ms is null then 0 else reserve end',
      installments: '1',
      description: "'Pedido ' || i",
      customer: `jsonb_build_object('name', 'Cliente ' || h % 100000, 'document', lpad((h % 100000)::text, 11, '0'),
        'email', 'cliente' || h % 100000 || '@example.com', 'phone', null)`,
      provider: "'sandbox'",
      fee_percentage_bps: '99',
      fee_fixed_amount: '30',
      reserve_days: '30',
      pix_qr_code: `case when method = 'pix' then '00020126580014br.gov.bcb.pix0136' || id
        || '5204000053039865802BR5913Loja do Bairro6009Sao Paulo62070503***6304ABCD' end`,
      pix_end_to_end_id: "case when method = 'pix' and paid_ms is not null then 'E' || lpad(i::text, 31, '0') end",
      expires_at: 'pg_temp.at(made_ms + 86400000)',
      paid_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'payment_settlements',
    from: 'made where paid_ms is not null',
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 5, i)',
      payment_id: 'id',
      installment: '1',
      amount: 'net',
      canceled_amount: '0',
      available_on: `sao_paulo_date(pg_temp.at(paid_ms)) + case method when 'pix' then 0 when 'boleto' then 1 else 30 end`,
      status: `case when method = 'pix' or method = 'boleto' and $1 < ${DAYS - 1} or method = 'credit_card' and $1 < ${DAYS - 30}
        then 'available' else 'waiting' end`,
      created_at: 'pg_temp.at(paid_ms)',
      updated_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'reserve_holds',
    from: 'made where paid_ms is not null and reserve > 0',
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 6, i)',
      payment_id: 'id',
      amount: 'reserve',
      released_amount: `case when $1 < ${DAYS - 30} then reserve else 0 end`,
      consumed_amount: '0',
      status: `case when $1 < ${DAYS - 30} then 'released' else 'held' end`,
      held_at: 'pg_temp.at(paid_ms)',
      release_at: `pg_temp.at(paid_ms + ${30 * DAY_MS})`,
      created_at: 'pg_temp.at(paid_ms)',
      updated_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'refunds',
    from: "made where status = 'refunded'",
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 7, i)',
      payment_id: 'id',
      amount: 'amount',
      status: "'completed'",
      from_pending_amount: '0',
      from_reserved_amount: '0',
      from_available_amount: 'amount',
      draws: `'{"settlements": [], "holds": []}'`,
      provider: "'sandbox'",
      requested_by: 'seller_id',
      created_at: 'pg_temp.at(paid_ms)',
      updated_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'disputes',
    from: "made where status = 'in_dispute'",
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 8, i)',
      payment_id: 'id',
      type: "case when i % 2 = 0 then 'med' else 'chargeback' end",
      status: "'open'",
      amount: 'amount',
      blocked_amount: 'amount',
      from_available_amount: 'amount',
      draws: `'{"settlements": [], "holds": []}'`,
      reason: "'fraud'",
      provider: "'sandbox'",
      provider_reference: "'dispute-' || i",
      respond_by: `pg_temp.at(pg_temp.day(${DAYS + 10}))`,
      created_at: 'pg_temp.at(paid_ms)',
      updated_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'withdrawals',
    from: "moves where kind = 'withdrawal_requested'",
    columns: {
      seller_id: 'seller_id',
      id: 'reference_id',
      amount: 'amount',
      fee_amount: 'fee',
      net_amount: 'net',
      pix_key_type: "'email'",
      pix_key: "'loja' || number || '@example.com'",
      status: "'completed'",
      provider: "'sandbox'",
      end_to_end_id: "'E' || lpad(i::text, 31, '9')",
      requested_by: 'seller_id',
      requested_at: 'pg_temp.at(at)',
      approved_at: 'pg_temp.at(at)',
      sent_at: 'pg_temp.at(at)',
      completed_at: 'pg_temp.at(at)',
      created_at: 'pg_temp.at(at)',
      updated_at: 'pg_temp.at(at)',
    },
  },
  {
    table: 'ledger_transfers',
    from: 'moves',
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(at, 16, place << 40 | i)',
      kind: 'kind',
      reference_type: 'reference_type',
      reference_id: 'reference_id',
      description: "'Payment received, less its fee'",
      forced: "kind in ('refund_requested', 'dispute_opened', 'reserve_held')",
      created_at: 'pg_temp.at(at)',
    },
  },
  {
    table: 'ledger_postings',
    from: 'legs left join balances using (seller_id, account)',
    columns: {
      seller_id: 'seller_id',
      id: 'id',
      transfer_id: 'transfer_id',
      account: 'account',
      kind: 'kind',
      amount: 'amount',
      balance_after_amount:
        'coalesce(balance, 0) + sum(amount) over (partition by seller_id, account order by id rows unbounded preceding)',
      created_at: 'pg_temp.at(at)',
    },
  },
  {
    table: 'provider_references',
    from: 'made',
    columns: {
      provider: "'sandbox'",
      kind: "'charge'",
      reference: "'sandbox_' || id",
      seller_id: 'seller_id',
      resource_id: 'id',
    },
  },
  {
    table: 'provider_events',
    from: 'made where paid_ms is not null',
    columns: {
      id: 'pg_temp.id(paid_ms, 15, i)',
      provider: "'sandbox'",
      body_hash: "md5('a' || i) || md5('b' || i)",
      body: `'{"type":"charge","reference":"sandbox_' || id || '","status":"paid","paidAmount":' || amount || '}'`,
      status: "'processed'",
      times_received: '1',
      attempts: '1',
      received_at: 'pg_temp.at(paid_ms)',
      processed_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'events',
    from: `(
      select i, number, seller_id, id, method, amount, made_ms as happened_ms, 0 as step, 'payment.created' as type from made
      union all
      select i, number, seller_id, id, method, amount, paid_ms, 1, 'payment.paid' from made where paid_ms is not null
    ) as happened where ${recent}`,
    columns: {
      seller_id: 'seller_id',
      id: EVENT_ID,
      type: 'type',
      body: `json_build_object('id', ${EVENT_ID}, 'type', type, 'createdAt', pg_temp.at(happened_ms), 'apiVersion',
        '2026-11-01', 'data', json_build_object('id', id, 'sellerId', seller_id, 'method', method, 'amount', amount,
        'description', 'Pedido ' || i, 'provider', 'sandbox', 'currency', 'BRL', 'metadata', json_build_object()))`,
      created_at: 'pg_temp.at(happened_ms)',
      fanned_out_at: 'pg_temp.at(happened_ms)',
    },
  },
  {
    table: 'webhook_deliveries',
    from: `made where ${recent} and paid_ms is not null and number % 2 = 1`,
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 13, i)',
      webhook_id: 'seller_id',
      event_id: 'pg_temp.id(paid_ms, 12, i * 2 + 1)',
      event_type: "'payment.paid'",
      status: "case when h / 19 % 50 = 0 then 'failed' else 'succeeded' end",
      attempts_made: '1',
      created_at: 'pg_temp.at(paid_ms)',
      updated_at: 'pg_temp.at(paid_ms)',
    },
  },
  {
    table: 'webhook_attempts',
    from: `made where ${recent} and paid_ms is not null and number % 2 = 1`,
    columns: {
      seller_id: 'seller_id',
      id: 'pg_temp.id(paid_ms, 14, i)',
      delivery_id: 'pg_temp.id(paid_ms, 13, i)',
      attempt: '1',
      result: "case when h / 19 % 50 = 0 then 'rejected' else 'succeeded' end",
      response_status: 'case when h / 19 % 50 = 0 then 500 else 200 end',
      response_snippet: "'ok'",
      duration_ms: 'h % 400',
      created_at: 'pg_temp.at(paid_ms)',
    },
  },
]

/** Carries the balances of the day's books on to the next day. */
export const CARRY_BALANCES = `
  insert into balances select seller_id, account, sum(amount), max(id::text) from legs group by 1, 2
  on conflict (seller_id, account) do update set balance = balances.balance + excluded.balance, last_id = excluded.last_id`
