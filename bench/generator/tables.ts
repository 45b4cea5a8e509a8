import { DAY_MS, DAYS } from './day.ts'
import type { Columns } from './insert.ts'

const EVENT_DAYS = 30

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
    table: 'figure_changes',
    from: `(
      select seller_id, sao_paulo_date(pg_temp.at(at)) as day, account, kind, amount > 0 as is_credit,
        case when account in ('fee_revenue', 'provider_cost') and kind not like 'withdrawal%' then method else '' end as method,
        count(*) as legs, sum(amount) as amount
      from legs where account not in ('clearing', 'receivable')
        or kind not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')
      group by 1, 2, 3, 4, 5, 6
    ) as summed`,
    columns: {
      seller_id: 'seller_id',
      subject: "'posting'",
      day: 'day',
      dimensions: "array[account, kind, case when is_credit then 'credit' else 'debit' end, method]",
      rows_count: 'legs',
      amount: 'amount',
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
      body: `json_build_object('id', ${EVENT_ID}, 'type', type, 'createdAt',
        to_char(pg_temp.at(happened_ms) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'apiVersion',
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
