import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { paymentErrors } from '../areas/payments/payments.errors.ts'
import { type AppError, routeErrors, serverErrors } from '../errors.ts'
import { asAppError } from '../http/plugins/errors.ts'
import type { PublicAddress } from '../http/public-address.ts'
import { qrCodeType } from '../http/qr-code.ts'
import { encodingFor, STATIC_FILE_HEADERS } from '../http/static-files.ts'
import { checkoutFiles } from './checkout.assets.ts'
import { checkoutErrors } from './checkout.errors.ts'
import type { CheckoutService, Moved, Shown, Visit } from './checkout.service.ts'
import { languageFor } from './language.ts'
import { pageHeaders } from './page-answers.ts'
import { isId, sessionCookie, sessionOf } from './payer-session.ts'
import { parseForm, type SentForm } from './payment-form.ts'
import { isSameOrigin } from './same-origin.ts'

type Options = {
  checkout: CheckoutService
  publicAddress: PublicAddress
}

type Params = { hash: string }
type Query = { again?: string; method?: string }

const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1_024

const PAGE = { config: { access: 'public', rateLimit: 'tight' }, schema: { hide: true } } as const
const FILE = { config: { access: 'public' }, schema: { hide: true } } as const

const languageOf = ({ headers }: FastifyRequest) => languageFor(headers['accept-language'])

const visitOf = (request: FastifyRequest): Visit => {
  const { again, method } = request.query as Query
  return {
    hash: (request.params as Partial<Params>).hash ?? '',
    language: languageOf(request),
    session: sessionOf(request.headers.cookie),
    ...(typeof again === 'string' ? { again } : {}),
    ...(typeof method === 'string' ? { method } : {}),
  }
}

const refusalOf = (error: unknown, request: FastifyRequest): AppError => {
  const known = asAppError(error, request)
  if (known === undefined) request.log.error({ err: error }, 'request failed')
  else if (known.status >= 500) request.log.warn({ err: error }, 'request refused')
  return known ?? serverErrors.internal()
}

/** The hosted checkout: HTML for payers, outside of the API, with a security policy and refusals of its own. */
export const checkoutPlugin: FastifyPluginAsync<Options> = async (app, { checkout, publicAddress }) => {
  const send = (request: FastifyRequest, reply: FastifyReply, answer: Shown | Moved): FastifyReply => {
    const { hash } = request.params as Params
    if (answer.session) {
      void reply.header(
        'set-cookie',
        sessionCookie(answer.session, `/pay/${hash}`, publicAddress.url().startsWith('https:')),
      )
    }
    void reply.headers(pageHeaders(languageOf(request), 'frameOrigin' in answer ? answer.frameOrigin : undefined))
    if ('location' in answer) return reply.redirect(answer.location, 303)
    return reply.code(answer.status).send(checkout.write(answer))
  }

  app.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: unknown, text: string) => parseForm(text),
  )

  // A refusal is a page too: the form with what is wrong beside its fields, else one that says what happened.
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error, request)
    if (refusal.extras.headers) void reply.headers({ ...refusal.extras.headers })
    const form = request.body as SentForm | undefined
    if (form && refusal.code === 'validation.failed') {
      return send(request, reply, await checkout.refuse(visitOf(request), form, refusal))
    }
    return send(request, reply, checkout.apologize(visitOf(request), refusal))
  })

  app.get<{ Params: { name: string } }>('/assets/:name', FILE, async (request, reply) => {
    const file = checkoutFiles.get(request.params.name)
    if (file === undefined) throw routeErrors.not_found()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding !== 'identity') void reply.header('content-encoding', encoding)
    return reply.headers(STATIC_FILE_HEADERS).type(file.type).send(file.bodies[encoding])
  })

  app.get('/:hash', PAGE, async (request, reply) => send(request, reply, await checkout.open(visitOf(request))))

  app.post(
    '/:hash',
    {
      ...PAGE,
      // Before the body is read: a page of somebody else's may not begin a payment.
      onRequest: async ({ headers }) => {
        if (!isSameOrigin(headers, publicAddress.url())) throw checkoutErrors.cross_site()
      },
    },
    async (request, reply) =>
      send(request, reply, await checkout.submit(visitOf(request), request.body as SentForm, request.id)),
  )

  app.get<{ Params: Params & { id: string } }>('/:hash/payments/:id', PAGE, async (request, reply) => {
    const { hash, id } = request.params
    if (!isId(id)) throw paymentErrors.not_found()
    return send(request, reply, await checkout.showPayment(hash, id, languageOf(request)))
  })

  app.get<{ Params: Params }>('/:hash/poster', PAGE, async (request, reply) =>
    send(request, reply, await checkout.showPoster(request.params.hash, languageOf(request))),
  )

  app.get<{ Params: Params }>('/:hash/qr-code', PAGE, async (request, reply) => {
    const type = qrCodeType(request.headers.accept)
    const image = await checkout.qrCode(request.params.hash, type)
    return reply.headers({ vary: 'accept', 'cache-control': 'no-cache' }).type(type).send(image)
  })
}
