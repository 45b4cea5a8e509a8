import type { FastifyRequest } from 'fastify'
import type { Language } from '../domain/language.ts'

export type { Language }

/** The language that a request prefers: Portuguese, unless English is asked for before it. */
export const languageFor = (request: FastifyRequest): Language =>
  request.language(['pt', 'en']) === 'en' ? 'en' : 'pt'
