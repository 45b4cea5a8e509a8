import type { FastifyInstance } from 'fastify'

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a6b4f"/>' +
  '<path d="M9 12h14M9 20h14M12 8v16" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

/** The icon that browsers ask every server for. Without one each page of ours would begin with a failed request. */
export const faviconPlugin = async (app: FastifyInstance): Promise<void> => {
  app.get('/favicon.ico', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
  )
}
