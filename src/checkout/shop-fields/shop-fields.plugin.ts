import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Language } from '../../domain/language.ts'
import { defineErrors } from '../../errors.ts'
import { paymentFieldsScript } from './payment-fields.ts'

const fieldsErrors = defineErrors('card_fields', {
  unavailable: [404, 'The provider of cards has no fields to be shown in a shop, or nobody serves cards here.'],
})

type Options = {
  /** Where the provider's fields for shops are; undefined: it has none. */
  shopFieldsUrl: (language: Language) => string | undefined
}

/** For any page to load, and to be asked for again after an hour: it changes with releases and the configuration. */
const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The script by which a shop shows the provider's card fields in its own page: /fields/v1.js. */
export const shopFieldsPlugin: FastifyPluginAsyncZod<Options> = async (app, { shopFieldsUrl }) => {
  app.get('/v1.js', { config: { access: 'public', large: true }, schema: { hide: true } }, async (_request, reply) => {
    const [pt, en] = [shopFieldsUrl('pt'), shopFieldsUrl('en')]
    if (pt === undefined || en === undefined) throw fieldsErrors.unavailable()
    return reply.headers(HEADERS).type('text/javascript; charset=utf-8').send(paymentFieldsScript({ pt, en }))
  })
}
