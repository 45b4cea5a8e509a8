import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Answer, TestApp } from './app.ts'
import type { Seller } from './factories.ts'
import { sellingSeller } from './payments.ts'

type Fields = Record<string, unknown>

/** Asks for a link: a fixed amount of 100.00 unless the fields say otherwise. */
export const postLink = (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  app.api.post('payment-links', { token, headers, body: { title: 'Camiseta azul', amount: 10_000, ...fields } })

/** Makes a link and answers it. */
export const createLink = async (app: TestApp, seller: Pick<Seller, 'token'>, fields: Fields = {}) => {
  const answer = await postLink(app, seller, fields)
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** A seller who may receive payments, and a link of theirs. */
export const sellerWithLink = async (app: TestApp, fields: Fields = {}) => {
  const seller = await sellingSeller(app)
  return { seller, link: await createLink(app, seller, fields) }
}

/** Replaces a link by itself with some fields changed. */
export const putLink = (
  app: TestApp,
  { token }: Pick<Seller, 'token'>,
  { id, title, amount, minAmount, maxAmount, maxPayments, expiresAt }: Fields,
  fields: Fields,
): Promise<Answer> => {
  const kept = { title, amount, minAmount, maxAmount, maxPayments, expiresAt }
  return app.api.put(`payment-links/${id}`, { token, body: { ...kept, ...fields } })
}

/** A seller's own link, as their list shows it. */
export const linkOf = async (app: TestApp, { token }: Pick<Seller, 'token'>, id: string) => {
  const { body } = await app.api.get(
    'payment-links?status=active&status=inactive&status=expired&status=completed&status=deleted',
    { token },
  )
  return body.data.find((link: { id: string }) => link.id === id)
}

/** Pays through a link, as anybody may: by Pix unless the fields say otherwise. */
export const postLinkPayment = (
  app: TestApp,
  { hash }: { hash: string },
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer> => app.api.post(`payment-links/${hash}/payments`, { headers, body: { method: 'pix', ...fields } })

/** Begins a payment of a link and answers it, as its payer sees it. */
export const payLink = async (app: TestApp, link: { hash: string }, fields: Fields = {}) => {
  const answer = await postLinkPayment(app, link, fields)
  if (answer.status !== 201) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

/** What a card needs of its payer. */
export const CARD_PAYER = { name: 'Francisco da Silva', document: '529.982.247-25', email: 'francisco@example.com' }

/** A payment by card: the last digit of the token decides what becomes of it. */
export const card = (token = 'tok_sandbox_0000', fields: Fields = {}): Fields => ({
  method: 'credit_card',
  cardToken: token,
  customer: CARD_PAYER,
  ...fields,
})

export const linkPayment = async (app: TestApp, { hash }: { hash: string }, id: string): Promise<Answer> =>
  app.api.get(`payment-links/${hash}/payments/${id}`)

type StreamEvent = { name: string; data: Record<string, unknown> }

const eventOf = (chunk: string): StreamEvent[] => {
  const fields = new Map(chunk.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
  const name = fields.get('event')
  return name === undefined ? [] : [{ name, data: JSON.parse(fields.get('data') ?? 'null') }]
}

const readInto = async (events: StreamEvent[], response: IncomingMessage): Promise<'ended' | 'broken'> => {
  let text = ''
  try {
    for await (const part of response.setEncoding('utf8')) {
      const chunks = (text + part).split('\n\n')
      text = chunks.pop() ?? ''
      events.push(...chunks.flatMap(eventOf))
    }
    return 'ended'
  } catch {
    return 'broken'
  }
}

/** A stream of server-sent events that is read as it comes, on a connection of its own. */
export const openStream = async (app: TestApp, path: string) => {
  const request = get(`${app.url}/api/v1/${path}`, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const events: StreamEvent[] = []
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    events,
    isOver: readInto(events, response),
    /** What the events said of the payment's state, in order. */
    statuses: () => events.map(({ data }) => data.status),
    close: () => response.destroy(),
  }
}
