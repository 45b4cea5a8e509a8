import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { z } from 'zod'
import { isCnpj, isCpf, stripTaxId } from '../../domain/tax-id.ts'
import { isUuid } from '../../domain/uuid.ts'
import { type InputFault, requestErrors } from '../../errors.ts'

type Options = {
  /** Whether `search` may hold somebody's address or number also where it stands in the URL. */
  allowPersonalInUrls: boolean
}

const HEADER = 'search-text'
/** As long as `search` itself may be, each character in up to nine of these. */
const TEXT_MAX = 100
const HEADER_MAX = 900
const ENCODED = /^[\x21-\x7e]+$/
const ENCODED_RULE = 'must be percent-encoded UTF-8, without spaces'

/** Loose, because the other headers are not ours to drop. */
const searchHeaders = z.looseObject({
  [HEADER]: z
    .string()
    .max(HEADER_MAX)
    .regex(ENCODED, ENCODED_RULE)
    .optional()
    .meta({
      description:
        'What `search` looks for, percent-encoded (UTF-8), in place of the field in the address: addresses lie in logs and histories. In production e-mail addresses, CPFs, CNPJs and telephone numbers are taken here alone. Send it again with each page.',
      examples: ['maria%40example.com'],
    }),
})

const takesSearch = (schema: unknown): boolean => {
  if (schema instanceof z.ZodPipe) return takesSearch(schema.in)
  return schema instanceof z.ZodObject && 'search' in schema.shape
}

const TELEPHONE = /^\+?[\d\s().-]{10,20}$/

/** Whether a text tells by itself who somebody is: an e-mail address, a tax number or a telephone number, or part of one. */
const isPersonal = (text: string): boolean => {
  const number = stripTaxId(text)
  if (isUuid(text)) return false
  return text.includes('@') || isCpf(number) || isCnpj(number) || TELEPHONE.test(text.trim())
}

const fault = (place: Pick<InputFault, 'in' | 'path' | 'code'>, message: string) =>
  requestErrors.failed({ errors: [{ ...place, message }] })

const decoded = (header: string): string | undefined => {
  try {
    return ENCODED.test(header) ? decodeURIComponent(header) : undefined
  } catch {
    return undefined
  }
}

const textOf = (header: string): string => {
  const text = decoded(header)
  if (text === undefined) throw fault({ in: 'headers', path: HEADER, code: 'invalid_format' }, ENCODED_RULE)
  if (text.length <= TEXT_MAX) return text
  throw fault({ in: 'headers', path: HEADER, code: 'too_big' }, `must have at most ${TEXT_MAX} characters`)
}

const takeSearch = (request: FastifyRequest, { allowPersonalInUrls }: Options): void => {
  const query = request.query as { search?: unknown }
  const header = request.headers[HEADER]
  if (typeof header === 'string' && query.search === undefined) query.search = textOf(header)
  else if (header !== undefined) {
    const place = { in: 'headers', path: HEADER, code: 'ambiguous' } as const
    throw fault(place, 'must stand alone: leave `search` out of the address')
  } else if (!allowPersonalInUrls && typeof query.search === 'string' && isPersonal(query.search)) {
    const place = { in: 'query', path: 'search', code: 'personal_data_in_url' } as const
    throw fault(place, `must not tell of a person in the address: send it in the header ${HEADER}`)
  }
}

/**
 * Lets every list that can be searched be asked by a header: what people search for tells who somebody is, and addresses
 * of requests lie in the logs of proxies (OWASP ASVS 5.0, 14.2.1). Registered behind the access, so that strangers learn
 * nothing, and before the inputs are judged.
 */
export const searchTextPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, options) => {
  const take: onRequestHookHandler = (request, _reply, done) => {
    takeSearch(request, options)
    done()
  }
  app.addHook('onRoute', (route) => {
    if (!takesSearch(route.schema?.querystring)) return
    route.schema = { ...route.schema, headers: searchHeaders }
    const before = [route.onRequest ?? []].flat()
    // The route that answers HEAD has what that of GET has.
    if (!before.includes(take)) route.onRequest = [...before, take]
  })
})
