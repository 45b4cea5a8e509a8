import { randomBytes } from 'node:crypto'
import type { Answer, TestApp } from './app.ts'
import { companyBody, documentForm } from './company.ts'
import { verifyAddress } from './verified-people.ts'

/** A seller who just registered and verified the address: no company, not approved. */
export type Seller = { id: string; email: string; password: string; token: string; refreshToken: string }

// Approvals of one platform share a login, which costs a password hash.
const reviewers = new WeakMap<TestApp, Promise<string>>()

const reviewerOf = (app: TestApp): Promise<string> => {
  const token = reviewers.get(app) ?? adminToken(app)
  reviewers.set(app, token)
  return token
}

const expectStatus = (answer: Answer, status: number): void => {
  if (answer.status !== status) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
}

export const newEmail = (): string => `seller-${randomBytes(6).toString('hex')}@example.com`

const PASSWORD = 'dois cafés e um pão na chapa'

export const registerSeller = async (app: TestApp): Promise<Seller> => {
  const email = newEmail()
  const body = { email, password: PASSWORD, name: 'Maria da Silva', companyName: 'Padaria da Maria' }
  const answer = await app.api.post('auth/register', { body })
  expectStatus(answer, 201)
  const { user, tokens } = answer.body
  await verifyAddress(app.sql, user.id)
  return { id: user.id, email, password: PASSWORD, token: tokens.accessToken, refreshToken: tokens.refreshToken }
}

/** A company of a seller, awaiting approval unless the fields say otherwise. */
export const createCompany = async (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  fields: Record<string, unknown> = {},
) => {
  const answer = await app.api.post('companies', { token, body: companyBody(fields) })
  expectStatus(answer, 201)
  return answer.body
}

/** Lets an administrator approve a company. */
export const approveCompany = async (app: TestApp, companyId: string): Promise<void> => {
  const token = await reviewerOf(app)
  expectStatus(await app.api.post(`admin/enterprises/${companyId}/approve`, { token }), 200)
}

/** A seller with an approved company, who may receive payments. */
export const approvedSeller = async (app: TestApp): Promise<Seller> => {
  const seller = await registerSeller(app)
  const company = await createCompany(app, seller)
  const sent = await app.api.post(`companies/${company.id}/documents`, { token: seller.token, body: documentForm() })
  expectStatus(sent, 201)
  await approveCompany(app, company.id)
  return seller
}

/** Logs in the first administrator. */
export const adminToken = async (app: TestApp): Promise<string> => {
  const answer = await app.api.post('auth/login', { body: app.config.admin })
  expectStatus(answer, 200)
  return answer.body.tokens.accessToken
}

export { companyBody }
