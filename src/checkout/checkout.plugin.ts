import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { BoletosService } from '../areas/boletos/boletos.service.ts'
import type { BrandingService } from '../areas/branding/branding.service.ts'
import { paymentErrors } from '../areas/payments/payments.errors.ts'
import { isUuid } from '../domain/uuid.ts'
import { type AppError, serverErrors } from '../errors.ts'
import { COOKIE_PATH, cookieName } from '../http/cookie-names.ts'
import { languageFor } from '../http/language.ts'
import { preferredType, variesBy } from '../http/negotiation.ts'
import { asAppError } from '../http/plugins/errors.ts'
import { addressBucket } from '../http/plugins/rate-limit.ts'
import { sendPdf } from '../http/send-pdf.ts'
import { staticFilesPlugin } from '../http/static-files.ts'
import type { PublicAddress } from '../public-address.ts'
import { QR_CODE_TYPES } from '../qr-code.ts'
import { brandPlugin } from './brand.plugin.ts'
import { checkoutFiles } from './checkout.assets.ts'
import { checkoutErrors } from './checkout.errors.ts'
import type { CheckoutService, Moved, Shown, Visit } from './checkout.service.ts'
import { pageHeaders } from './page-answers.ts'
import { cookieOptions, cookieValueOf, sessionOf } from './payer-session.ts'
import { sentFormSchema } from './payment-form.ts'
import { isSameOrigin } from './same-origin.ts'

type Options = {
  checkout: CheckoutService
  boletos: Pick<BoletosService, 'open'>
  branding: Pick<BrandingService, 'openLogo'>
  publicAddress: PublicAddress
}

type Params = { hash: string }
type Query = { again?: string; method?: string; size?: string }

const FORM_LIMIT_BYTES = 16 * 1_024

const PAGE = { config: { access: 'public', rateLimit: 'tight' }, schema: { hide: true } } as const

/** One for each link: every page of the platform gets them all. */
const cookieNameOf = (hash: string, secure: boolean): string => cookieName(`checkout-${hash}`, secure)

const visitOf = (request: FastifyRequest, secure: boolean): Visit => {
  const { again, method } = request.query as Query
  const { hash = '' } = request.params as Partial<Params>
  return {
    hash,
    language: languageFor(request),
    network: addressBucket(request.ip),
    session: sessionOf(request.server.parseCookie(request.headers.cookie ?? '')[cookieNameOf(hash, secure)]),
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
export const checkoutPlugin: FastifyPluginAsyncZod<Options> = async (
  app,
  { checkout, boletos, branding, publicAddress },
) => {
  const isSecure = (): boolean => publicAddress.url().startsWith('https:')
  const visit = (request: FastifyRequest): Visit => visitOf(request, isSecure())

  const send = (request: FastifyRequest, reply: FastifyReply, answer: Shown | Moved): FastifyReply => {
    const { hash } = request.params as Params
    if (answer.session) {
      const name = cookieNameOf(hash, isSecure())
      void reply.setCookie(name, cookieValueOf(answer.session), cookieOptions(COOKIE_PATH, isSecure()))
    }
    void reply.headers(pageHeaders(languageFor(request), 'frameOrigin' in answer ? answer.frameOrigin : undefined))
    void variesBy(reply, 'accept-language', 'cookie')
    if ('location' in answer) return reply.redirect(answer.location, 303)
    return reply.code(answer.status).send(checkout.write(answer))
  }

  // Read where a page is made: a request that is refused early is answered by a page too.
  await app.register(cookie, { hook: false })
  await app.register(formBody, { bodyLimit: FORM_LIMIT_BYTES })

  // A refusal is a page too: the form with what is wrong beside its fields, else one that says what happened.
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error, request)
    if (refusal.extras.headers) void reply.headers({ ...refusal.extras.headers })
    const form = sentFormSchema.safeParse(request.body)
    if (form.success && refusal.code === 'validation.failed') {
      return send(request, reply, await checkout.refuse(visit(request), form.data, refusal))
    }
    return send(request, reply, checkout.apologize(visit(request), refusal))
  })

  await app.register(staticFilesPlugin, { prefix: '/assets', files: checkoutFiles })
  await app.register(brandPlugin, { branding })

  app.get<{ Params: { id: string; token: string } }>('/boletos/:id/:token', PAGE, async (request, reply) => {
    const { id, token } = request.params
    if (!isUuid(id)) throw paymentErrors.not_found()
    const size = (request.query as Query).size === 'phone' ? 'phone' : 'a4'
    return sendPdf(reply, await boletos.open(id, token, { size, language: languageFor(request) }))
  })

  app.get('/:hash', PAGE, async (request, reply) => send(request, reply, await checkout.open(visit(request))))

  app.post(
    '/:hash',
    {
      ...PAGE,
      schema: { ...PAGE.schema, body: sentFormSchema },
      // Before the body is read: a page of somebody else's may not begin a payment.
      onRequest: async ({ headers }) => {
        if (!isSameOrigin(headers, publicAddress.url())) throw checkoutErrors.cross_site()
      },
    },
    async (request, reply) => send(request, reply, await checkout.submit(visit(request), request.body, request.id)),
  )

  app.get<{ Params: Params & { id: string } }>('/:hash/payments/:id', PAGE, async (request, reply) => {
    const { hash } = request.params
    const id = request.params.id.toLowerCase()
    if (!isUuid(id)) throw paymentErrors.not_found()
    return send(request, reply, await checkout.showPayment(hash, id, languageFor(request)))
  })

  app.get<{ Params: Params }>('/:hash/poster', PAGE, async (request, reply) =>
    send(request, reply, await checkout.showPoster(request.params.hash, languageFor(request))),
  )

  app.get<{ Params: Params }>('/:hash/qr-code', PAGE, async (request, reply) => {
    const type = preferredType(request, reply, QR_CODE_TYPES)
    const image = await checkout.qrCode(request.params.hash, type)
    return reply.header('cache-control', 'no-cache').type(type).send(image)
  })
}
