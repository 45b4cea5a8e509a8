import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LOGO_BYTES_MAX } from '../../domain/logo.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { receiveUploadOf } from '../../http/uploads.ts'
import { brandingResponse, logoForm, updateBrandingBody } from './branding.schemas.ts'
import type { BrandingService } from './branding.service.ts'

type Options = { branding: BrandingService }

const tags = ['Payment links']

const FIELD_BYTES_MAX = 100
const PARTS_MAX = 5

const limits = {
  fileSize: LOGO_BYTES_MAX,
  files: 2,
  fields: PARTS_MAX,
  fieldSize: FIELD_BYTES_MAX,
  fieldNameSize: FIELD_BYTES_MAX,
  parts: PARTS_MAX,
  headerPairs: 20,
}

/** How the pages look on which payers pay a seller. */
export const brandingPlugin: FastifyPluginAsyncZod<Options> = async (app, { branding }) => {
  await app.register(multipart, { limits, throwFileSizeLimit: true })

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'payment_links:read', conditional: true },
      schema: {
        operationId: 'getBranding',
        summary: 'See logo and colour',
        description: 'What payers see on the checkout, on receipts and on posters beside the seller’s name.',
        tags,
        response: { 200: brandingResponse },
      },
    },
    async (request) => branding.get(actorOf(request)),
  )

  app.put(
    '',
    {
      config: { access: ['seller:developer'], scope: 'payment_links:write', conditional: true },
      schema: {
        operationId: 'updateBranding',
        summary: 'Choose the colour',
        description:
          'Holds for pages from now on. `shades` of the answer say what becomes of it on light and on dark pages.',
        tags,
        body: updateBrandingBody,
        response: { 200: brandingResponse },
      },
    },
    async (request) => branding.update(actorOf(request), request.body, preconditionOf(request)),
  )

  app.put(
    '/logo',
    {
      config: {
        access: ['seller:developer'],
        scope: 'payment_links:write',
        errors: ['branding.logo_type_not_supported', 'branding.logo_dimensions', 'branding.quota_reached'],
      },
      schema: {
        operationId: 'replaceLogo',
        summary: 'Send a logo',
        description:
          'One PNG or JPEG image of up to 512 KiB, 32 to 2,048 pixels wide and high, judged by its content. It takes the place of the one before and gets an address of its own; the same image keeps its address. On dark pages it stands on white.',
        tags,
        consumes: ['multipart/form-data'],
        body: logoForm,
        response: { 200: brandingResponse },
      },
    },
    async (request) => branding.setLogo(actorOf(request), receiveUploadOf(request)),
  )

  app.delete(
    '/logo',
    {
      config: { access: ['seller:developer'], scope: 'payment_links:write' },
      schema: {
        operationId: 'deleteLogo',
        summary: 'Remove the logo',
        description: 'Its address answers 404 from now on, and pages show the first letter of the name again.',
        tags,
        response: { 204: z.null().meta({ description: 'There is no logo.' }) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      await branding.removeLogo(actor, actor.sellerId)
      return reply.code(204).send(null)
    },
  )
}

/** Logos as administrators look after them. */
export const adminBrandingPlugin: FastifyPluginAsyncZod<Options> = async (app, { branding }) => {
  app.delete(
    '/:id/logo',
    {
      config: { access: ['admin:risk'], errors: ['seller.not_found'] },
      schema: {
        operationId: 'deleteSellerLogo',
        summary: 'Remove a seller’s logo',
        description: 'For a logo that is somebody else’s. The seller can send another one: block who does it again.',
        tags: ['Admin'],
        params: idParams,
        response: { 204: z.null().meta({ description: 'There is no logo.' }) },
      },
    },
    async (request, reply) => {
      await branding.removeLogo(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
