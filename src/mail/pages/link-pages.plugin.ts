import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { variesBy } from '../../http/negotiation.ts'
import { LINK_PAGES, type LinkPage, linkPage, SCRIPT, STYLE } from './link.page.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "img-src 'self'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  // The address of the page holds the token.
  'referrer-policy': 'no-referrer',
}

/** Where links of mails lead. To open a page does nothing yet: mail scanners do that too. */
export const linkPagesPlugin: FastifyPluginAsync = async (app) => {
  const route = { config: { access: 'public' as const }, schema: { hide: true } }
  for (const page of Object.keys(LINK_PAGES) as LinkPage[]) {
    app.get(`/${page}`, route, async (request, reply) => {
      const language = request.language(['pt', 'en']) === 'en' ? 'en' : 'pt'
      void variesBy(reply, 'accept-language').headers(HEADERS).type('text/html; charset=utf-8')
      return reply.send(linkPage(page, language))
    })
  }
}
