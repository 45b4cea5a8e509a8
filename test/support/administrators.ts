import { randomBytes } from 'node:crypto'
import type { Answer, TestApp } from './app.ts'
import { adminToken, newEmail } from './factories.ts'
import { requested, sellerWith } from './withdrawals.ts'

const PASSWORD = 'dois cafés e um pão na chapa'

/** Lets a new administrator approve money, as if they had been one for long. */
export const endFirstDay = async (app: TestApp, id: string): Promise<void> => {
  await app.sql.query("update users set approves_from = null, updated_at = now() - interval '30 days' where id = $1", [
    id,
  ])
}

/** The token of an administrator other than the first one, who is none since today. */
export const anotherAdmin = async (app: TestApp): Promise<string> => {
  const email = newEmail()
  const body = { email, password: PASSWORD, name: 'Joana Prado', companyName: 'Platform', role: 'admin' }
  const made = await app.api.post('users', { token: await adminToken(app), body })
  if (made.status !== 201) throw new Error(`the server answered ${made.status}: ${made.text}`)
  await endFirstDay(app, made.body.id)
  const entered = await app.api.post('auth/login', { body: { email, password: PASSWORD } })
  return entered.body.tokens.accessToken
}

const NOBODY = {
  withdrawalFromAmount: null,
  adjustmentFromAmount: null,
  writeOffFromAmount: null,
  treasuryPayoutFromAmount: null,
}

/** Sets from which amounts on two administrators are needed. */
export const setPolicy = (
  app: TestApp,
  token: string,
  policy: Partial<Record<keyof typeof NOBODY, number> & Record<'fees' | 'roles', boolean>>,
) => app.api.put('admin/approval-policy', { token, body: { ...NOBODY, ...policy } }) as Promise<Answer>

/** A proposal of an administrator that waits for another: to pay a new seller's withdrawal. Leaves no policy behind. */
export const newApproval = async (app: TestApp, token: string): Promise<string> => {
  const { id } = await requested(app, await sellerWith(app, 10_000))
  await app.sql.query('delete from approval_policy')
  await setPolicy(app, token, { withdrawalFromAmount: 1 })
  const proposed = await app.api.post(`admin/withdrawals/${id}/approve`, { token })
  await app.sql.query('delete from approval_policy')
  if (proposed.status !== 202) throw new Error(`the server answered ${proposed.status}: ${proposed.text}`)
  return proposed.body.id
}

/** A difference with the acquirer that is open: a payout that nobody here asked for. Answers its id. */
export const newException = async (app: TestApp): Promise<string> => {
  const { rows } = await app.sql.query(
    `insert into reconciliation_exceptions (id, provider, date, kind, line_kind, subject, provider_amount, platform_amount,
       status, reopened_count, created_at, updated_at)
     values (gen_random_uuid(), 'sandbox', '2026-01-05', 'unmatched_payout', 'payout', gen_random_uuid()::text, 5000, 0,
       'open', 0, now(), now()) returning id`,
  )
  return rows[0].id
}

/** A Pix that came in for nothing that we know of. Answers its end-to-end id. */
export const newReceivedPix = async (app: TestApp): Promise<string> => {
  const endToEndId = `E${randomBytes(15).toString('hex')}`
  await app.sql.query(
    `insert into received_pix (provider, end_to_end_id, id, amount, status, reason, received_at, created_at, updated_at)
     values ('efi', $1, gen_random_uuid(), 1000, 'open', 'unknown_charge', now(), now(), now())`,
    [endToEndId],
  )
  return endToEndId
}

/** A form with a provider's statement of a day, as CSV below its header. */
export const statementForm = (provider: string, date: string, lines: string): FormData =>
  fileForm({ provider, date }, `kind,reference,end_to_end_id,amount,fee_amount,happened_at\n${lines}`)

/** A file as it is handed in. */
export const fileForm = (texts: Readonly<Record<string, string>>, file: string): FormData => {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  form.append('file', new Blob([file]), 'statement.csv')
  return form
}

/** A day at the acquirer that was compared, or is to be. Answers its id. */
export const newReconciliation = async (app: TestApp, token: string): Promise<string> => {
  const body = { provider: 'sandbox', date: '2026-01-05' }
  const asked = await app.api.post('admin/reconciliations', { token, body })
  return asked.body.id
}
