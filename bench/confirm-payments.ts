import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { sandboxCallbackBody } from '../src/providers/sandbox/sandbox.callbacks.ts'
import { sandboxSecret, signSandboxCallback } from '../src/providers/sandbox/sandbox.signature.ts'
import { type Bench, CONNECTIONS, openPlatform, type Shops, withProcessorTime } from './support/bench.ts'
import { pgbench } from './support/pgbench.ts'
import { type Platform, SECRETS, startPlatform } from './support/platform.ts'
import { query } from './support/postgres.ts'
import { assignmentsLike, insertLike } from './support/rows.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const CREATE = join(import.meta.dirname, 'create-payments.lua')
const CONFIRM = join(import.meta.dirname, 'confirm-payments.lua')
const AMOUNT = 10_000
/** The platform keeps as many in its queue. What comes beyond waits for a job, which does not run here. */
const ROUND_MAX = 9_000
/** Booked on both sides before anything is measured: Postgres plans for empty tables until it has seen them filled. */
const WARM_UP = 32 * CONNECTIONS

type Pending = { seller_id: string; payment_id: string; reference: string }

const callbackOf = ({ reference }: Pending, id: string): { signature: string; body: string } => {
  const state = { status: 'paid' as const, paidAmount: AMOUNT as never, endToEndId: `E99999999${id.slice(-23)}` }
  const body = sandboxCallbackBody(id, [{ kind: 'charge', reference, state }])
  const secret = sandboxSecret(SECRETS.ENCRYPTION_KEY)
  return { signature: signSandboxCallback(secret, body, Date.now()), body }
}

/** Pending payments, as many as asked for, in a table of their own that the scripts look them up in by number. */
const preparePending = async (bench: Bench, { url, platform, tokens }: Shops, count: number): Promise<void> => {
  for (let round = 0; ; round += 1) {
    const [found] = await query<{ count: string }>(url, 'select count(*) from payments')
    if (Number(found?.count) > count) break
    const args = [tokens, `p${round}`]
    await wrk({ url: platform.url, connections: CONNECTIONS, seconds: bench.seconds, script: CREATE, args })
  }
  await query(
    url,
    `create table bench_pending as
     select row_number() over (order by resource_id)::int - 1 as n, seller_id, resource_id as payment_id, reference
     from provider_references where kind = 'charge'`,
  )
  await query(url, 'alter table bench_pending add primary key (n)')
  await query(url, 'vacuum analyze')
}

const paidCount = async (client: Client): Promise<number> =>
  Number((await client.query("select count(*) from provider_events where status = 'processed'")).rows[0].count)

/** Sends every callback once and answers how many payments became paid per second, from the first to the last. */
const confirmAll = async (
  bench: Bench,
  platform: Platform,
  url: string,
  pending: readonly Pending[],
  round: number,
) => {
  const file = join(bench.folder, `callbacks${round}.txt`)
  const lines = pending.map((one, index) => {
    const { signature, body } = callbackOf(one, `evt-${round}-${String(index).padStart(23, '0')}`)
    return `${signature}\t${body}`
  })
  await writeFile(file, `${lines.join('\n')}\n`)
  const client = new Client({ connectionString: url })
  await client.connect()
  const before = await paidCount(client)
  const seconds = bench.seconds * 3
  const booked = new AbortController()
  const options = { connections: CONNECTIONS, seconds, script: CONFIRM, args: [file], signal: booked.signal }
  const load = wrk({ url: platform.url, ...options }).catch((error: unknown) => {
    if (!booked.signal.aborted) throw error
  })
  while ((await paidCount(client)) < before + pending.length) await wait(200)
  booked.abort()
  const { rows } = await client.query(
    'select extract(epoch from max(processed_at) - min(received_at)) as seconds from provider_events where id in (select id from provider_events order by received_at desc limit $1)',
    [pending.length],
  )
  await load
  await client.end()
  return pending.length / Number(rows[0].seconds)
}

const NUMBER = `(:i * ${CONNECTIONS} + :client_id)`
// Ids of one batch may differ in their last digits only: a digit of its own keeps each apart.
const idLike = (id: string, index: number) =>
  `'${id.slice(0, 24)}${index.toString(16)}' || lpad(${NUMBER}::text, 11, '0')`

// A transfer and its postings come in one statement, or the guard of the ledger refuses it.
const withPostings = (inserts: readonly string[]): string[] => {
  const transfers = inserts.find((insert) => insert.startsWith('insert into ledger_transfers ')) ?? ''
  return inserts.flatMap((insert) => {
    if (insert === transfers) return []
    if (!insert.startsWith('insert into ledger_postings ')) return [insert]
    return [`with transfers as (${transfers.slice(0, -1)}) ${insert}`]
  })
}

/** A script that books what one callback has booked, one commit for each payment. */
const writeScript = async (
  bench: Bench,
  platformUrl: string,
  untouchedUrl: string,
  sample: Pending,
): Promise<string> => {
  const payment = `seller_id = '${sample.seller_id}' and id = '${sample.payment_id}'`
  const ofPayment = `seller_id = '${sample.seller_id}' and payment_id = '${sample.payment_id}'`
  const transfers = `seller_id = '${sample.seller_id}' and id in (select transfer_id from ledger_postings where seller_id = '${sample.seller_id}')`
  const sources = [
    ['provider_events', 'true'],
    ['payment_settlements', ofPayment],
    ['reserve_holds', ofPayment],
    ['events', `seller_id = '${sample.seller_id}' and type <> 'payment.created'`],
    ['ledger_transfers', transfers],
    ['ledger_postings', `seller_id = '${sample.seller_id}'`],
  ] as const
  const parts = new Map([
    [sample.seller_id, 'pending.seller_id::text'],
    [sample.payment_id, 'pending.payment_id::text'],
    [sample.payment_id.replaceAll('-', ''), 'pending.reference'],
  ])
  const ids = new Map<string, string>()
  for (const [table, where] of sources) {
    for (const { id } of await query<{ id: string }>(platformUrl, `select id::text from ${table} where ${where}`)) {
      ids.set(id, idLike(id, ids.size % 16))
      parts.set(id, ids.get(id) ?? id)
    }
  }
  const [event] = await query<{ body_hash: string }>(platformUrl, 'select body_hash from provider_events')
  parts.set(event?.body_hash ?? '', `lpad(${NUMBER}::text, 64, '0')`)
  const from = `from bench_pending as pending where pending.n = ${NUMBER}`
  const inserts: string[] = []
  // Of the totals, what the creation of the payment had changed is not the confirmation's.
  const counted = `subject = 'provider_event' or seller_id = '${sample.seller_id}'
    and not (subject = 'payment_created' and status = 'pending' and rows_count > 0)`
  for (const [table, where] of [...sources, ['daily_total_changes', counted]] as const) {
    const found = await query(platformUrl, `select from ${table} where ${where} limit 1`)
    if (found.length > 0) inserts.push(await insertLike(platformUrl, table, where, parts, from))
  }
  const changes = await assignmentsLike(
    { url: untouchedUrl, where: payment },
    { url: platformUrl, where: payment },
    'payments',
    parts,
  )
  const postings = await query<{ account: string; amount: string; id: string }>(
    platformUrl,
    `select account, sum(amount)::text as amount, max(id::text) as id from ledger_postings where seller_id = '${sample.seller_id}' group by account`,
  )
  const updates = [
    `update payments set ${changes} ${from} and payments.seller_id = pending.seller_id and payments.id = pending.payment_id;`,
    ...postings.map(
      ({ account, amount, id }) =>
        `update ledger_accounts set balance_amount = balance_amount + ${amount}, last_posting_id = (${ids.get(id)})::uuid ${from} and ledger_accounts.seller_id = pending.seller_id and ledger_accounts.account = '${account}';`,
    ),
  ].map((statement) =>
    statement.replace(`${from} and`, `from bench_pending as pending where pending.n = ${NUMBER} and`),
  )
  const script = join(bench.folder, 'confirm-payments.sql')
  const statements = [...updates, ...withPostings(inserts)]
  const lines = ['\\set i :i + 1', '\\startpipeline', 'begin;', ...statements, 'commit;', '\\endpipeline', '']
  await writeFile(script, lines.join('\n'))
  return script
}

/** A callback until the payment is paid, booked, held and told, against pgbench doing the same one by one. */
export const measureConfirmation = async (bench: Bench): Promise<Row[]> => {
  const shops = await openPlatform(bench, { name: 'bench_confirm' })
  const perRound = Math.min(bench.seconds * 1_500, ROUND_MAX)
  await preparePending(bench, shops, WARM_UP + perRound * bench.rounds + 1)
  await shops.platform.stop()
  await bench.postgres.admin('create database bench_confirm_pgbench template bench_confirm')
  const untouched = bench.postgres.urlOf('bench_confirm_pgbench')
  const platform = await startPlatform({ environment: { DATABASE_URL: shops.url, PROCESS_ROLE: 'api' } })
  const pending = await query<Pending>(shops.url, 'select * from bench_pending order by n desc')
  const [sample, ...others] = pending
  if (sample === undefined) throw new Error('no payment waits')
  await confirmAll(bench, platform, shops.url, [sample], 99)
  const script = await writeScript(bench, shops.url, untouched, sample)
  const confirmTheirs = (before: number, count: number): Promise<number> => {
    const run = { transactions: Math.floor(count / CONNECTIONS) }
    const define = { i: Math.floor(before / CONNECTIONS) }
    return pgbench({ url: untouched, clients: CONNECTIONS, run, script, define })
  }
  await confirmAll(bench, platform, shops.url, others.slice(0, WARM_UP), 98)
  await confirmTheirs(0, WARM_UP)
  for (const url of [shops.url, untouched]) await query(url, 'vacuum analyze')
  const rounds = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const before = WARM_UP + round * perRound
    const mine = others.slice(before, before + perRound)
    const { result: ours, seconds } = await withProcessorTime(bench, [platform], () =>
      confirmAll(bench, platform, shops.url, mine, round),
    )
    const theirs = await confirmTheirs(before, perRound)
    rounds.push({ perSecond: ours, pgbenchPerSecond: theirs, ratio: ours / theirs, seconds })
    const [api, postgres] = [seconds.api, seconds.postgres].map((part) => ((part / perRound) * 1e6).toFixed(0))
    bench.say(
      `confirmed ${ours.toFixed(0)}/s, pgbench ${theirs.toFixed(0)}/s; each took ${api} µs of the API, ${postgres} of Postgres`,
    )
  }
  await platform.stop()
  return [
    {
      name: 'callback to paid and booked',
      measured: `${median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)}/s`,
      compared: `pgbench ${median(rounds.map(({ pgbenchPerSecond }) => pgbenchPerSecond)).toFixed(0)}/s`,
      value: median(rounds.map(({ ratio }) => ratio)),
      bound: { atLeast: 2 },
      details: { rounds },
    },
  ]
}
