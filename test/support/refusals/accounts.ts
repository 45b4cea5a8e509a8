import { randomUUID } from 'node:crypto'
import { hashSecret } from '../../../src/crypto/opaque-tokens.ts'
import { setPolicy } from '../administrators.ts'
import type { Answer, TestApp } from '../app.ts'
import { newEmail, registerSeller, type Seller } from '../factories.ts'
import { invitationToken, joinTeam } from '../team.ts'
import { claimsOf } from '../tokens.ts'
import { codeOf, enrol } from '../totp.ts'
import { earn } from '../withdrawals.ts'
import { ok, REASON, type Refusal, type Refusals, type World } from './world.ts'

const PERSON = { name: 'Joana Prado', companyName: 'Loja' }
const NEW_PASSWORD = 'outro café com leite'

/** Tries until the account is locked, and once more. */
const untilLocked = async (guess: () => Promise<Answer>): Promise<Answer> => {
  for (let guesses = 0; guesses < 10; guesses += 1) await guess()
  return guess()
}

const login = ({ app }: World, body: object) => app.api.post('auth/login', { body })

const enrolled = async ({ app }: World) => {
  const seller = await registerSeller(app)
  return { seller, ...(await enrol(app, seller)) }
}

const own =
  (call: (world: World, seller: Seller) => Promise<Answer>): Refusal =>
  async (world) =>
    call(world, await registerSeller(world.app))

const locked =
  (guess: (world: World, seller: Seller) => Promise<Answer>): Refusal =>
  async (world) => {
    const seller = await registerSeller(world.app)
    return untilLocked(() => guess(world, seller))
  }

const changePassword = ({ app }: World, { id, token }: Seller, currentPassword = 'not this one') =>
  app.api.put(`users/${id}/password`, { token, body: { currentPassword, newPassword: NEW_PASSWORD } })

const stepUp = ({ app }: World, { token }: Seller) =>
  app.api.post('auth/step-up', { token, body: { password: 'not this one' } })

const beginTotp = ({ app }: World, { id, token }: Seller, currentPassword = 'not this one') =>
  app.api.post(`users/${id}/totp`, { token, body: { currentPassword } })

const confirmTotp = ({ app }: World, { id, token }: Seller) =>
  app.api.post(`users/${id}/totp/confirm`, { token, body: { totpCode: '000000' } })

const disableTotp = ({ app }: World, { id, token }: Seller) =>
  app.api.post(`users/${id}/totp/disable`, { token, body: { recoveryCode: 'AAAA' } })

const integrationLogin = ({ app }: World, clientId = `cli_${randomUUID()}`) =>
  app.api.post('integrations/login', { body: { client_id: clientId, client_secret: 'sk_wrong' } })

const blocked = ({ api }: TestApp, admin: string, id: string) =>
  api.put(`admin/users/${id}/block`, { token: admin, body: REASON })

/** Does something while there is no other administrator. */
const alone = async ({ sql }: TestApp, admin: string, work: () => Promise<Answer>): Promise<Answer> => {
  const { rows } = await sql.query<{ id: string }>(
    "update users set deleted_at = now() where role = 'admin' and deleted_at is null and id <> $1 returning id",
    [claimsOf(admin).sub],
  )
  try {
    return await work()
  } finally {
    await sql.query('update users set deleted_at = null where id = any($1)', [rows.map(({ id }) => id)])
  }
}

export const accountRefusals: Refusals = {
  'POST /auth/register user.email_taken': ({ app, seller }) =>
    app.api.post('auth/register', { body: { ...PERSON, email: seller.email, password: NEW_PASSWORD } }),
  'POST /auth/login auth.credentials_invalid': own((world, { email }) =>
    login(world, { email, password: 'wrong one' }),
  ),
  'POST /auth/login auth.password_expired': own(async (world, { id, email, password }) => {
    await world.app.sql.query('update users set password_expires_at = now() where id = $1', [id])
    return login(world, { email, password })
  }),
  'POST /auth/login auth.totp_required': async (world) => {
    const { seller } = await enrolled(world)
    return login(world, { email: seller.email, password: seller.password })
  },
  'POST /auth/login auth.totp_invalid': async (world) => {
    const { seller, secret } = await enrolled(world)
    // Spent by the confirmation.
    return login(world, { email: seller.email, password: seller.password, totpCode: codeOf(secret) })
  },
  'POST /auth/login auth.account_locked': locked((world, { email }) => login(world, { email, password: 'wrong one' })),
  'POST /auth/step-up auth.step_up_failed': own(stepUp),
  'POST /auth/step-up auth.account_locked': locked(stepUp),
  'POST /auth/refresh auth.refresh_token_invalid': ({ app }) =>
    app.api.post('auth/refresh', { body: { refreshToken: 'nobody’s' } }),
  'POST /auth/logout auth.refresh_token_invalid': ({ app, seller }) =>
    app.api.post('auth/logout', { token: seller.token, body: { refreshToken: 'nobody’s' } }),
  'POST /auth/email/verify user.email_taken': own(async ({ app, seller: other }, { id }) => {
    const [token, now] = [randomUUID(), new Date()]
    const link = { purpose: 'change_email' as const, email: other.email, userId: id, createdAt: now }
    const expiresAt = new Date(now.getTime() + 60_000)
    const tokenHash = hashSecret(token)
    await app.services.transact((tx) => tx.linkTokens.insertWithinPace({ ...link, tokenHash, expiresAt }))
    return app.api.post('auth/email/verify', { body: { token } })
  }),
  'POST /users user.email_taken': ({ app, admin, seller }) => {
    const body = { ...PERSON, email: seller.email, password: NEW_PASSWORD, role: 'seller' }
    return app.api.post('users', { token: admin, body })
  },
  'POST /users user.invitation_required': async ({ app, admin }) => {
    await setPolicy(app, admin, { roles: true })
    const body = { ...PERSON, email: newEmail(), password: NEW_PASSWORD, role: 'admin' }
    const answer = await app.api.post('users', { token: admin, body })
    await app.sql.query('delete from approval_policy')
    return answer
  },
  'PUT /users/{id} user.email_taken': own(({ app, seller }, { id, token }) =>
    app.api.put(`users/${id}`, { token, body: { ...PERSON, email: seller.email } }),
  ),
  'DELETE /users/{id} user.balance_not_zero': own(async ({ app }, { id, token }) => {
    await earn(app, id, 1)
    return app.api.delete(`users/${id}`, { token })
  }),
  'DELETE /users/{id} user.last_administrator': ({ app, admin }) =>
    alone(app, admin, () => app.api.delete(`users/${claimsOf(admin).sub}`, { token: admin })),
  'DELETE /users/{id} user.last_owner': ({ app, admin }) =>
    app.api.delete(`users/${claimsOf(admin).sub}`, { token: admin }),
  'PUT /admin/members/{id} user.last_owner': ({ app, admin }) =>
    app.api.put(`admin/members/${claimsOf(admin).sub}`, { token: admin, body: { adminRole: 'viewer' } }),
  'DELETE /admin/members/{id} user.last_owner': ({ app, admin }) =>
    app.api.delete(`admin/members/${claimsOf(admin).sub}`, { token: admin }),
  'PUT /team/{userId} user.last_owner': own(({ app }, { id, token }) =>
    app.api.put(`team/${id}`, { token, body: { role: 'viewer' } }),
  ),
  'DELETE /team/{userId} user.last_owner': own(({ app }, { id, token }) => app.api.delete(`team/${id}`, { token })),
  'POST /team/invitations team.full': own(async ({ app }, { id, token }) => {
    await app.sql.query(
      `insert into invitations (id, token_hash, seller_id, email, name, access_role, created_at, expires_at)
       select gen_random_uuid(), 'full ' || n, $1, n || '@example.com', 'Ana', 'viewer', now(), now() + interval '1 day'
       from generate_series(1, 99) n`,
      [id],
    )
    return app.api.post('team/invitations', { token, body: { email: 'a@example.com', name: 'Ana', role: 'viewer' } })
  }),
  'POST /auth/invitations/accept team.invitation_invalid': ({ app }) =>
    app.api.post('auth/invitations/accept', { body: { token: 'nobody’s', name: 'Ana', password: NEW_PASSWORD } }),
  'POST /auth/invitations/accept user.email_taken': own(async ({ app, seller }, { token }) => {
    ok(await app.api.post('team/invitations', { token, body: { email: seller.email, name: 'Ana', role: 'viewer' } }))
    const body = { token: await invitationToken(app, seller.email), name: 'Ana', password: NEW_PASSWORD }
    return app.api.post('auth/invitations/accept', { body })
  }),
  'DELETE /team/{userId} team.account_holder': own(async ({ app }, seller) => {
    const { token } = await joinTeam(app, seller, 'owner')
    return app.api.delete(`team/${seller.id}`, { token })
  }),
  'PUT /users/{id}/password user.password_incorrect': own(changePassword),
  'PUT /users/{id}/password auth.account_locked': locked(changePassword),
  'POST /users/{id}/totp user.password_incorrect': own(beginTotp),
  'POST /users/{id}/totp auth.account_locked': locked(beginTotp),
  'POST /users/{id}/totp totp.already_enabled': async (world) => {
    const { seller } = await enrolled(world)
    return beginTotp(world, seller, seller.password)
  },
  'POST /users/{id}/totp/confirm totp.not_pending': own(confirmTotp),
  'POST /users/{id}/totp/confirm totp.code_invalid': own(async (world, seller) => {
    ok(await beginTotp(world, seller, seller.password))
    return confirmTotp(world, seller)
  }),
  'POST /users/{id}/totp/disable totp.not_enabled': own(disableTotp),
  'POST /users/{id}/totp/disable totp.code_invalid': async (world) =>
    disableTotp(world, (await enrolled(world)).seller),
  'POST /users/{id}/totp/disable auth.account_locked': async (world) => {
    const { seller } = await enrolled(world)
    return untilLocked(() => disableTotp(world, seller))
  },
  'DELETE /users/{id}/sessions/{sessionId} session.not_found': ({ app, seller: { id, token } }) =>
    app.api.delete(`users/${id}/sessions/${randomUUID()}`, { token }),
  'DELETE /admin/users/{id}/totp totp.not_enabled': own(({ app, admin }, { id }) =>
    app.api.delete(`admin/users/${id}/totp`, { token: admin }),
  ),
  'DELETE /admin/users/{id}/totp totp.own_account': ({ app, admin }) =>
    app.api.delete(`admin/users/${claimsOf(admin).sub}/totp`, { token: admin }),
  'PUT /admin/users/{id}/block user.own_account': ({ app, admin }) => blocked(app, admin, claimsOf(admin).sub),
  'PUT /admin/users/{id}/unblock user.own_account': ({ app, admin }) =>
    app.api.put(`admin/users/${claimsOf(admin).sub}/unblock`, { token: admin, body: REASON }),
  'POST /auth/login auth.account_blocked': own(async (world, { id, email, password }) => {
    ok(await blocked(world.app, world.admin, id))
    return login(world, { email, password })
  }),
  'POST /auth/invitations/accept auth.account_blocked': own(async ({ app, admin }, { id, token }) => {
    const email = newEmail()
    ok(await app.api.post('team/invitations', { token, body: { email, name: 'Ana', role: 'viewer' } }))
    ok(await blocked(app, admin, id))
    const body = { token: await invitationToken(app, email), name: 'Ana', password: NEW_PASSWORD }
    return app.api.post('auth/invitations/accept', { body })
  }),
  'POST /integrations/login auth.account_blocked': own(async ({ app, admin }, { id, token }) => {
    const made = ok(await app.api.put('integrations/credentials', { token, body: { rotateSecret: true } }))
    ok(await blocked(app, admin, id))
    const body = { client_id: made.clientId, client_secret: made.clientSecret }
    return app.api.post('integrations/login', { body })
  }),
  'POST /integrations/login auth.credentials_invalid': (world) => integrationLogin(world),
  'POST /integrations/login auth.grant_unsupported': ({ app }) =>
    app.api.post('integrations/login', { body: { grant_type: 'password', client_id: 'cli_1', client_secret: 'sk_1' } }),
  'POST /integrations/login auth.scope_invalid': async ({ app, seller: { token } }) => {
    const body = { rotateSecret: true, scopes: ['balance:read'] }
    const { clientId, clientSecret } = ok(await app.api.put('integrations/credentials', { token, body }))
    const asked = { client_id: clientId, client_secret: clientSecret, scope: 'fees:read' }
    return app.api.post('integrations/login', { body: asked })
  },
  'POST /integrations/login auth.account_locked': (world) => untilLocked(() => integrationLogin(world, 'cli_guessed')),
}
