import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type ErrorDefinition, errorCatalogue, routeErrors } from '../../errors.ts'
import { html, toText } from '../../html.ts'

// None of its characters is one that markup escapes, so it stands in the page as it is here.
const STYLE = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}'
const POLICY = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const page = ({ code, status, title, detail }: ErrorDefinition): string =>
  toText(html`<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${code}</title>
<style>${STYLE}</style>
<h1><code>${code}</code></h1>
<p>HTTP ${status} ${title}</p>
<p>${detail}</p>
<p><a href="/docs/">Documentation</a></p>
</html>
`)

/** A page per error code: where the `type` of a refusal leads. */
export const errorPagesPlugin = async (app: FastifyInstance): Promise<void> => {
  const config = { access: 'public' as const }
  app.get<{ Params: { code: string } }>('/errors/:code', { config, schema: { hide: true } }, async (request, reply) => {
    const definition = errorCatalogue.get(request.params.code)
    if (definition === undefined) throw routeErrors.not_found()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page(definition))
  })
  app.get('/', { config, schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 302))
}
