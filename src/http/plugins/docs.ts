import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

const hashesOf = (html: string): string =>
  [...html.matchAll(INLINE_SCRIPT)]
    .map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    .join(' ')

// Nothing is loaded from elsewhere: the page works without the internet and tells nobody that it was read.
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashesOf(html)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const CONFIGURATION = {
  url: '/openapi.json',
  pageTitle: 'Payment platform API',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

// The page's script is five megabytes of text that most processes are never asked for: it is loaded with the first visit.
const createPages = async () => {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(apiReference, { routePrefix: '/docs', configuration: CONFIGURATION })
  await pages.ready()
  return pages
}

const PATHS = ['/docs', '/docs/', '/docs/js/scalar.js'] as const

/** The documentation for people, under /docs. A scope of its own, because it needs another content security policy. */
export const docsPlugin = async (app: FastifyInstance): Promise<void> => {
  let pages: ReturnType<typeof createPages> | undefined

  for (const path of PATHS) {
    app.get(path, { config: { access: 'public', large: true }, schema: { hide: true } }, async (_request, reply) => {
      pages ??= createPages()
      const page = await (await pages).inject(path)
      const contentType = String(page.headers['content-type'])
      if (contentType.startsWith('text/html')) void reply.header('content-security-policy', policyOf(page.payload))
      if (page.headers.location) void reply.header('location', page.headers.location)
      return reply.code(page.statusCode).type(contentType).header('cache-control', 'no-cache').send(page.rawPayload)
    })
  }
}
