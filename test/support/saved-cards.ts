import type { Answer, TestApp } from './app.ts'
import type { Seller } from './factories.ts'

type Fields = { cardToken?: string; consent?: unknown; consentTextVersion?: unknown }

/** Asks for a card to be kept: one that is approved, unless the fields say otherwise. */
export const postCard = (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  customerId: string,
  fields: Fields = {},
  { key }: { key?: string } = {},
): Promise<Answer> =>
  app.api.post(`customers/${customerId}/cards`, {
    token,
    body: { cardToken: 'tok_visa_0001', consent: true, ...fields },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

/** Saves a card of a customer and answers it. */
export const saveCard = async (app: TestApp, seller: Pick<Seller, 'token'>, customerId: string, fields?: Fields) => {
  const answer = await postCard(app, seller, customerId, fields)
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}
