import { createHmac } from 'node:crypto'
import { ADMIN, type Platform, SECRETS } from './platform.ts'
import { query } from './postgres.ts'

/** Sellers have ids that can be computed from their number, so that SQL scripts meet the same ones. */
export const sellerIdOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const sessionIdOf = (number: number): string => `00000000-0000-7000-9000-${String(number).padStart(12, '0')}`

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const TOKEN_SECONDS = 24 * 3_600

/** An access token of a seller, as a login would have handed it out. */
export const tokenOf = (number: number): string => {
  const now = Math.floor(Date.now() / 1_000)
  const claims = {
    sub: sellerIdOf(number),
    sid: sessionIdOf(number),
    iss: 'payment-platform',
    iat: now,
    exp: now + TOKEN_SECONDS,
  }
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${signed}.${createHmac('sha256', SECRETS.JWT_SECRET).update(signed).digest('base64url')}`
}

const post = async (url: string, body: object, token?: string): Promise<Record<string, never>> => {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

// Copies of one row, with some columns computed from `number`.
const copies = (table: string, where: string, columns: Record<string, string>): string => `
  insert into ${table} select (jsonb_populate_record(model, jsonb_build_object(${Object.entries(columns)
    .map(([column, expression]) => `'${column}', ${expression}`)
    .join(', ')}))).*
  from ${table} as model, generate_series(1, $2::int) as number where model.${where}`

const idOf = (block: string): string => `('00000000-0000-7000-${block}-' || lpad(number::text, 12, '0'))`

/**
 * Makes sellers 1 to `count`, approved and with a session each. The first one goes through the interface and is then
 * copied: a thousand registrations would spend a minute on password hashes.
 */
export const openShops = async ({ url }: Platform, databaseUrl: string, count: number): Promise<void> => {
  const email = 'model@example.com'
  const password = 'a long password of the model'
  const registered = (await post(`${url}/api/v1/auth/register`, {
    email,
    password,
    name: 'Model',
    companyName: 'Model',
  })) as never as {
    user: { id: string }
  }
  const { id } = registered.user
  await query(databaseUrl, 'update users set approved = true where id = $1', [id])
  await query(
    databaseUrl,
    'update reserve_configs set percentage_bps = 1000, days = 30, is_active = true where seller_id = $1',
    [id],
  )
  const seller = idOf('8000')
  const run = (statement: string) => query(databaseUrl, statement, [id, count])
  await run(copies('users', 'id = $1', { id: seller, email: `'seller' || number || '@example.com'` }))
  await run(
    copies('sessions', 'user_id = $1', { id: idOf('9000'), user_id: seller, expires_at: `now() + interval '2 days'` }),
  )
  await run(copies('reserve_configs', 'seller_id = $1', { id: idOf('a000'), seller_id: seller }))
  await run(copies('withdrawal_configs', 'seller_id = $1', { id: idOf('b000'), seller_id: seller }))
  await run(copies('ledger_accounts', 'seller_id = $1', { seller_id: seller }))
}

/** An access token of the administrator. */
export const adminTokenOf = async ({ url }: Platform): Promise<string> => {
  const { tokens } = (await post(`${url}/api/v1/auth/login`, ADMIN)) as never as { tokens: { accessToken: string } }
  return tokens.accessToken
}
