import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import {
  listReceivedPixQuery,
  receivedPixListResponse,
  receivedPixParams,
  receivedPixResponse,
  resolveReceivedPixBody,
} from './received-pix.schemas.ts'
import type { ReceivedPixService } from './received-pix.service.ts'

const tags = ['Admin']

type Options = { receivedPix: ReceivedPixService }

export const adminReceivedPixPlugin: FastifyPluginAsyncZod<Options> = async (app, { receivedPix }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listReceivedPix',
        summary: 'List Pix that came in',
        description:
          'Every Pix that reached the platform’s account, newest first, and where it ended. Filter for `open`: money that is no payment.',
        tags,
        querystring: listReceivedPixQuery,
        response: { 200: receivedPixListResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await receivedPix.list(request.query)),
  )

  app.post(
    '/:endToEndId/resolve',
    {
      config: { access: ['admin:finance'], errors: ['received_pix.not_found', 'received_pix.not_open'] },
      schema: {
        operationId: 'resolveReceivedPix',
        summary: 'Resolve a Pix that is no payment',
        description: 'Sends it back to its payer, or says why it stays. Only while it is `open`.',
        tags,
        params: receivedPixParams,
        body: resolveReceivedPixBody,
        response: { 200: receivedPixResponse },
      },
    },
    async (request) => receivedPix.resolve(actorOf(request), request.params.endToEndId, request.body),
  )
}
