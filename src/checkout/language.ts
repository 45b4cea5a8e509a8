import type { FastifyRequest } from 'fastify'

/** The languages that payers are spoken to in. */
export type Language = 'pt' | 'en'

/** The language that a request prefers: Portuguese, unless English is asked for before it. */
export const languageFor = (request: FastifyRequest): Language =>
  request.language(['pt', 'en']) === 'en' ? 'en' : 'pt'
