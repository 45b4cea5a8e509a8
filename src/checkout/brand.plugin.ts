import type { FastifyPluginAsync } from 'fastify'
import { brandingErrors } from '../areas/branding/branding.errors.ts'
import type { BrandingService } from '../areas/branding/branding.service.ts'
import { isUuid } from '../domain/uuid.ts'
import { findBrandStyle } from './brand-style.ts'

const ROUTE = { config: { access: 'public' }, schema: { hide: true } } as const

// Each address has one content for ever, and a removed logo only has to be gone from here.
const FOR_EVER = 'public, max-age=31536000, immutable'

// Opened by itself, an image is nothing but that: whatever a browser may take it for can run and load nothing.
const IMAGE_POLICY = "default-src 'none'; sandbox"

/** What sellers bring to the pages of their payers. */
export const brandPlugin: FastifyPluginAsync<{ branding: Pick<BrandingService, 'openLogo'> }> = async (
  app,
  { branding },
) => {
  app.get<{ Params: { name: string } }>('/colors/:name', ROUTE, async ({ params: { name } }, reply) => {
    const css = findBrandStyle(name)
    if (css === undefined) return reply.callNotFound()
    return reply.header('cache-control', FOR_EVER).type('text/css; charset=utf-8').send(css)
  })

  app.get<{ Params: { id: string } }>('/logos/:id', ROUTE, async ({ params: { id } }, reply) => {
    if (!isUuid(id)) throw brandingErrors.logo_not_found()
    const { logo, content } = await branding.openLogo(id)
    return reply
      .headers({
        'content-type': logo.contentType,
        'content-length': logo.sizeBytes,
        'content-disposition': 'inline',
        'content-security-policy': IMAGE_POLICY,
        'x-content-type-options': 'nosniff',
        // Sellers show it on pages of their own, and messengers beside links.
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
        'cache-control': FOR_EVER,
      })
      .send(content)
  })
}
