import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { routeErrors } from '../../errors.ts'
import { staticFiles, staticFilesPlugin } from '../static-files.ts'

const PREFIX = '/docs/guides'
const ASSETS_PREFIX = `${PREFIX}/assets`

// Nothing is loaded from elsewhere: the pages work without the internet.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const files = staticFiles(join(import.meta.dirname, '..', 'guides', 'assets'))
const urlOf = (name: string): string => `${ASSETS_PREFIX}/${files.version}/${name}`

// Most processes are never asked for a guide: they are read, and turned into pages, with the first visit.
const createPages = async (): Promise<ReadonlyMap<string, string>> => {
  const [{ readGuides }, { guidePage, guidesPage }] = await Promise.all([
    import('../guides/guides.ts'),
    import('../guides/guides.page.ts'),
  ])
  const guides = readGuides()
  const assets = { styleUrl: urlOf('guides.css'), scriptUrl: urlOf('search.js') }
  const pages = guides.map((guide): [string, string] => [guide.name, guidePage(guide, guides, assets)])
  return new Map([['', guidesPage(guides, assets)], ...pages])
}

/** Guides for people, beside the reference: under /docs/guides. */
export const guidesPlugin = async (app: FastifyInstance): Promise<void> => {
  let pages: ReturnType<typeof createPages> | undefined

  const answer = async (reply: FastifyReply, name: string) => {
    pages ??= createPages()
    const page = (await pages).get(name)
    if (page === undefined) throw routeErrors.not_found()
    void reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
    return reply.type('text/html; charset=utf-8').send(page)
  }

  const options = { config: { access: 'public' as const, large: true as const }, schema: { hide: true } }
  app.get(PREFIX, options, async (_request, reply) => answer(reply, ''))
  app.get<{ Params: { name: string } }>(`${PREFIX}/:name`, options, async ({ params: { name } }, reply) =>
    answer(reply, name),
  )
  await app.register(staticFilesPlugin, { prefix: ASSETS_PREFIX, files })
}
