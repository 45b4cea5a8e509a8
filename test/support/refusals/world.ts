import type { Answer, TestApp } from '../app.ts'
import { documentForm } from '../company.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../factories.ts'
import { sellingSeller } from '../payments.ts'
import { earn } from '../withdrawals.ts'

/** A platform, its administrator, and a seller who may do everything and has money. */
export type World = { app: TestApp; admin: string; seller: Seller }

/** Brings a refusal about and answers it. */
export type Refusal = (world: World) => Promise<Answer>

/** How each documented refusal comes about, by operation and code: `PUT /users/{id} user.email_taken`. */
export type Refusals = Readonly<Record<string, Refusal>>

export const createWorld = async (app: TestApp): Promise<World> => {
  const [admin, seller] = [await adminToken(app), await sellingSeller(app)]
  await earn(app, seller.id, 10_000_000)
  return { app, admin, seller }
}

export const ok = (answer: Answer): Answer['body'] => {
  if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

export const REASON = { reason: 'It says so.' }

/** A new company that awaits approval, with a document. */
export const newCompany = async ({ app }: World, owner?: Seller) => {
  const seller = owner ?? (await registerSeller(app))
  const { id } = await createCompany(app, seller)
  const sent = await app.api.post(`companies/${id}/documents`, { token: seller.token, body: documentForm() })
  return { seller, id: id as string, documentId: ok(sent).documents[0].id as string }
}

export const newApprovedCompany = async (world: World, owner?: Seller) => {
  const company = await newCompany(world, owner)
  await approveCompany(world.app, company.id)
  return company
}

/** Does something while no Pix has a fee. */
export const withoutPixFee = async (app: TestApp, work: () => Promise<Answer>): Promise<Answer> => {
  const set = (isActive: boolean) =>
    app.sql.query("update fees set is_active = $1 where method = 'pix' and seller_id is null", [isActive])
  await set(false)
  try {
    return await work()
  } finally {
    await set(true)
  }
}
