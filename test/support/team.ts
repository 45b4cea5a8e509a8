import { v7 } from 'uuid'
import { hashPassword } from '../../src/crypto/passwords.ts'
import { createSecretBox } from '../../src/crypto/secret-box.ts'
import type { AdminRole, MemberRole } from '../../src/domain/roles.ts'
import type { TestApp } from './app.ts'
import { newEmail, type Seller } from './factories.ts'

const PASSWORD = 'um pastel de palmito e caldo de cana'

let passwordHash: Promise<string> | undefined

/** Logs somebody in, and answers their access token. */
export const logIn = async ({ api }: TestApp, email: string, password = PASSWORD): Promise<string> => {
  const { status, body, text } = await api.post('auth/login', { body: { email, password } })
  if (status !== 200) throw new Error(`the server answered ${status}: ${text}`)
  return body.tokens.accessToken
}

/** Somebody who joined a seller's team, and is logged in. */
export const joinTeam = async (app: TestApp, { id: sellerId }: Pick<Seller, 'id'>, role: MemberRole) => {
  passwordHash ??= hashPassword(PASSWORD)
  const person = { id: v7(), email: newEmail(), password: PASSWORD }
  await app.sql.query(
    `insert into users (id, email, password_hash, name, company_name, role, approved, seller_id, access_role, created_at, updated_at)
     select $1, $2, $3, 'João Souza', company_name, 'seller', approved, id, $5, now(), now() from users where id = $4`,
    [person.id, person.email, await passwordHash, sellerId, role],
  )
  return { ...person, token: await logIn(app, person.email) }
}

/** A new administrator of a role, made by another one, and logged in. */
export const administratorWith = async (app: TestApp, token: string, adminRole: AdminRole) => {
  const person = { email: newEmail(), password: PASSWORD, name: 'Ana Lima', companyName: 'Platform' }
  const { status, body, text } = await app.api.post('users', { token, body: { ...person, role: 'admin', adminRole } })
  if (status !== 201) throw new Error(`the server answered ${status}: ${text}`)
  return { ...person, id: body.id as string, token: await logIn(app, person.email) }
}

const boxOf = ({ config }: TestApp) => createSecretBox(Buffer.from(config.encryptionKey))

/** The token of the newest invitation that waits to be sent to an address. */
export const invitationToken = async (app: TestApp, email: string): Promise<string> => {
  const { rows } = await app.sql.query<{ secret_sealed: string }>(
    "select secret_sealed from mails where kind = 'invitation' and recipient_address = $1 order by id desc limit 1",
    [email],
  )
  const sealed = rows[0]?.secret_sealed
  if (sealed === undefined) throw new Error('nobody was invited at this address')
  return JSON.parse(boxOf(app).open(sealed)).token
}
