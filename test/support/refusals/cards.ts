import { randomUUID } from 'node:crypto'
import { SAVED_CARDS_MAX } from '../../../src/domain/saved-card.ts'
import { createCustomer } from '../customers.ts'
import { postPayment } from '../payments.ts'
import { postCard, saveCard } from '../saved-cards.ts'
import type { Refusal, Refusals, World } from './world.ts'

const newCustomer = async ({ app, seller }: World): Promise<string> => (await createCustomer(app, seller)).id

const saving =
  (cardToken: string): Refusal =>
  async (world) =>
    postCard(world.app, world.seller, await newCustomer(world), { cardToken })

const unknownCard =
  (method: 'get' | 'delete'): Refusal =>
  async (world) => {
    const path = `customers/${await newCustomer(world)}/cards/${randomUUID()}`
    return world.app.api[method](path, { token: world.seller.token })
  }

// As an acquirer that keeps no cards.
const withoutSavedCards: Refusal = async (world) => {
  const sandbox = world.app.services.providers.find('sandbox')
  if (sandbox?.savedCards === undefined) throw new Error('the sandbox keeps no cards')
  const { savedCards } = sandbox
  Object.assign(sandbox, { savedCards: undefined })
  return saving('tok_visa_0001')(world).finally(() => Object.assign(sandbox, { savedCards }))
}

export const cardRefusals: Refusals = {
  'POST /customers/{customerId}/cards card.token_refused': saving('no_token'),
  'POST /customers/{customerId}/cards card.expired': saving('tok_visa_0120_0001'),
  'POST /customers/{customerId}/cards card.saving_unavailable': withoutSavedCards,
  'POST /customers/{customerId}/cards card.limit_reached': async (world) => {
    const customerId = await newCustomer(world)
    const all = Array.from({ length: SAVED_CARDS_MAX }, () => saveCard(world.app, world.seller, customerId))
    await Promise.all(all)
    return postCard(world.app, world.seller, customerId)
  },
  'GET /customers/{customerId}/cards/{cardId} card.not_found': unknownCard('get'),
  'DELETE /customers/{customerId}/cards/{cardId} card.not_found': unknownCard('delete'),
  'POST /payments card.not_found': async (world) => {
    const fields = { method: 'credit_card', customerId: await newCustomer(world), cardId: randomUUID() }
    return postPayment(world.app, world.seller, fields)
  },
  'POST /payments card.expired': async (world) => {
    const { app, seller } = world
    const customerId = await newCustomer(world)
    const { id: cardId } = await saveCard(app, seller, customerId)
    await app.sql.query('update saved_cards set exp_year = 2020 where id = $1', [cardId])
    return postPayment(app, seller, { method: 'credit_card', customerId, cardId })
  },
}
