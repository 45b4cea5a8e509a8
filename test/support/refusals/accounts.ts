import { randomUUID } from 'node:crypto'
import type { Answer } from '../app.ts'
import { registerSeller, type Seller } from '../factories.ts'
import { claimsOf } from '../tokens.ts'
import { codeOf, enrol } from '../totp.ts'
import { earn } from '../withdrawals.ts'
import { ok, type Refusal, type Refusals, type World } from './world.ts'

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

const beginTotp = ({ app }: World, { id, token }: Seller, currentPassword = 'not this one') =>
  app.api.post(`users/${id}/totp`, { token, body: { currentPassword } })

const confirmTotp = ({ app }: World, { id, token }: Seller) =>
  app.api.post(`users/${id}/totp/confirm`, { token, body: { totpCode: '000000' } })

const disableTotp = ({ app }: World, { id, token }: Seller) =>
  app.api.post(`users/${id}/totp/disable`, { token, body: { recoveryCode: 'AAAA' } })

const integrationLogin = ({ app }: World, clientId = `cli_${randomUUID()}`) =>
  app.api.post('integrations/login', { body: { clientId, clientSecret: 'sk_wrong' } })

export const accountRefusals: Refusals = {
  'POST /auth/register user.email_taken': ({ app, seller }) =>
    app.api.post('auth/register', { body: { ...PERSON, email: seller.email, password: NEW_PASSWORD } }),
  'POST /auth/login auth.credentials_invalid': own((world, { email }) =>
    login(world, { email, password: 'wrong one' }),
  ),
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
  'POST /auth/refresh auth.refresh_token_invalid': ({ app }) =>
    app.api.post('auth/refresh', { body: { refreshToken: 'nobody’s' } }),
  'POST /auth/logout auth.refresh_token_invalid': ({ app, seller }) =>
    app.api.post('auth/logout', { token: seller.token, body: { refreshToken: 'nobody’s' } }),
  'POST /users user.email_taken': ({ app, admin, seller }) => {
    const body = { ...PERSON, email: seller.email, password: NEW_PASSWORD, role: 'seller' }
    return app.api.post('users', { token: admin, body })
  },
  'PUT /users/{id} user.email_taken': own(({ app, seller }, { id, token }) =>
    app.api.put(`users/${id}`, { token, body: { ...PERSON, email: seller.email } }),
  ),
  'DELETE /users/{id} user.balance_not_zero': own(async ({ app }, { id, token }) => {
    await earn(app, id, 1)
    return app.api.delete(`users/${id}`, { token })
  }),
  'DELETE /users/{id} user.last_administrator': ({ app, admin }) =>
    app.api.delete(`users/${claimsOf(admin).sub}`, { token: admin }),
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
  'DELETE /admin/users/{id}/totp totp.not_enabled': own(({ app, admin }, { id }) =>
    app.api.delete(`admin/users/${id}/totp`, { token: admin }),
  ),
  'DELETE /admin/users/{id}/totp totp.own_account': ({ app, admin }) =>
    app.api.delete(`admin/users/${claimsOf(admin).sub}/totp`, { token: admin }),
  'POST /integrations/login auth.credentials_invalid': (world) => integrationLogin(world),
  'POST /integrations/login auth.account_locked': (world) => untilLocked(() => integrationLogin(world, 'cli_guessed')),
}
