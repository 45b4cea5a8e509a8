import { randomInt } from 'node:crypto'
import type { TestApp } from './app.ts'
import type { Seller } from './factories.ts'

const digit = (values: readonly number[]): number => {
  const sum = values.reduce((total, value, index) => total + value * (values.length + 1 - index), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

/** A random CPF with right check digits. */
export const newCpf = (): string => {
  // A first digit that differs from the second is enough for digits that are not all the same.
  const root = [1, 2, ...Array.from({ length: 7 }, () => randomInt(10))]
  const first = digit(root)
  return [...root, first, digit([...root, first])].join('')
}

export const ADDRESS = {
  zipCode: '01310100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: 'Apto 52',
  neighborhood: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
}

/** What creates or replaces a customer. */
export const customerBody = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'Francisco da Silva',
  email: 'francisco@example.com',
  document: newCpf(),
  documentType: 'cpf',
  phone: '11987654321',
  address: ADDRESS,
  externalReference: 'client-77',
  metadata: { plan: 'gold' },
  ...overrides,
})

/** A customer of a seller. */
export const createCustomer = async (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  fields: Record<string, unknown> = {},
) => {
  const answer = await app.api.post('customers', { token, body: customerBody(fields) })
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** A token of a seller's own server, which may do no more than these scopes. */
export const scopedToken = async (app: TestApp, { token }: Pick<Seller, 'token'>, scopes: readonly string[]) => {
  const { body } = await app.api.put('integrations/credentials', { token, body: { scopes, rotateSecret: true } })
  const login = { clientId: body.clientId, clientSecret: body.clientSecret }
  const answer = await app.api.post('integrations/login', { body: login })
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body.accessToken as string
}
