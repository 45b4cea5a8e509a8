/** The sellers that payments belong to: the first one has three of ten payments. */
export const SELLERS = 1_000
export const DAYS = 365

export const DAY_MS = 86_400_000

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
  // The payments made on day d by one half of the sellers, from their numbers alone: the same whenever they are asked for.
  `create function pg_temp.made(d int, half int) returns table (
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
      ) as chosen where (number = 1 or number % 7 < 2) = (half = 1)
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
const AMOUNTS = 'method, amount, fee, net, reserve'

/** Of one day and half of the sellers (`$1`, `$2`): its payments, and those of earlier days of which a part becomes available. */
export const PREPARE_DAY = [
  'drop table if exists made, moves, legs',
  'create temporary table made as select * from pg_temp.made($1, $2)',
  `create temporary table moves as
    select *, row_number() over (order by at, i, step) as place from (
      select ${PAID}, 1 as step, 'payment_received' as kind, 'payment' as reference_type, id as reference_id, ${AMOUNTS}
      from made where paid_ms is not null
      union all
      select ${PAID}, 2, 'reserve_held', 'hold', pg_temp.id(paid_ms, 6, i), ${AMOUNTS}
      from made where paid_ms is not null and reserve > 0
      union all
      select ${PAID}, 3, 'refund_requested', 'refund', pg_temp.id(paid_ms, 7, i), ${AMOUNTS} from made where status = 'refunded'
      union all
      select ${PAID}, 3, 'dispute_opened', 'dispute', pg_temp.id(paid_ms, 8, i), ${AMOUNTS} from made where status = 'in_dispute'
      union all
      select ${PAID}, step, 'withdrawal_' || what, 'withdrawal', pg_temp.id(paid_ms, 9, i), null, net / 2, 100, net / 2 - 100, 0
      from made cross join (values (4, 'requested'), (5, 'completed')) as done (step, what)
      where status = 'paid' and method = 'pix' and h / 13 % 50 = 0
      union all
      select i, number, h, seller_id, pg_temp.day($1) + i % 1000, 0,
        case why when 'settled' then 'payment_settled' else 'reserve_released' end,
        case why when 'settled' then 'settlement' else 'hold' end,
        pg_temp.id(paid_ms, case why when 'settled' then 5 else 6 end, i), ${AMOUNTS}
      from due where on_day = $1
    ) as every_move`,
  'delete from due where on_day = $1',
  `insert into due
    select $1 + case method when 'boleto' then 1 else 30 end, 'settled', * from made where method <> 'pix' and status = 'paid'
    union all
    select $1 + 30, 'released', * from made where reserve > 0 and paid_ms is not null`,
  `create temporary table legs as
    select seller_id, at, kind, pg_temp.id(at, 16, place << 40 | i) as transfer_id, pg_temp.id(at, 17, place * 4 + leg) as id,
      account, method, leg + 1 as leg, count(*) over (partition by place) as legs,
      amounts * amount + fees * fee + nets * net + reserves * reserve as amount, place, i
    from moves join shapes using (kind) where methods is null or method = any(methods)`,
]

/** Carries the balances of the day's books on to the next day. */
export const CARRY_BALANCES = `
  insert into balances select seller_id, account, sum(amount), max(id::text) from legs group by 1, 2
  on conflict (seller_id, account) do update set balance = balances.balance + excluded.balance, last_id = excluded.last_id`
