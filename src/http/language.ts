import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../domain/language.ts'
import { variesBy } from './negotiation.ts'

/** The language in which a payer is spoken to: Portuguese, unless English is asked for before it. */
export const languageFor = (request: FastifyRequest): Language =>
  request.language(['pt', 'en']) === 'en' ? 'en' : 'pt'

/** The language of the sentences in an answer of the API (RFC 9110, 12.5.4): English, unless Portuguese is preferred. */
export const languageOf = (request: FastifyRequest, reply: FastifyReply): Language => {
  const language = request.language(['en', 'pt']) === 'pt' ? 'pt' : 'en'
  void variesBy(reply, 'accept-language').header('content-language', language)
  return language
}
