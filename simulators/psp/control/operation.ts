import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Bank } from '../bank.ts'
import { findMerchant } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'

/** The plain HTTP server of the tests' own operations. */
export type ControlServer = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** What a test asked for and the PSP cannot do. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly status: number

  constructor(status: 400 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}

export const missing = (thing: string): ControlRefusal => new ControlRefusal(404, `No such ${thing}.`)

/** The merchant of an id, or the first one. */
export const merchantBy = (bank: Bank, id: string | undefined): Merchant => {
  const merchant = id === undefined ? bank.merchants[0] : findMerchant(bank, id)
  if (merchant === undefined) throw missing(`merchant: ${id}`)
  return merchant
}

/** One line of `GET /control` about a route. */
export const about = (summary: string): { config: { summary: string } } => ({ config: { summary } })
