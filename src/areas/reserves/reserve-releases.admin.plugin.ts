import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  releaseReservesBody,
  reserveHoldsQuery,
  reserveHoldsResponse,
  reserveReleaseResponse,
  reserveReleasesQuery,
  reserveReleasesResponse,
} from './reserve-releases.schemas.ts'
import type { ReserveReleasesService } from './reserve-releases.service.ts'
import { reserveHoldResponse } from './reserves.schemas.ts'

type Options = { reserveReleases: ReserveReleasesService }

const tags = ['Admin']

/** What is held back of the payments of all sellers. */
export const adminReserveHoldsPlugin: FastifyPluginAsyncZod<Options> = async (app, { reserveReleases }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listReserveHolds',
        summary: 'List reserve holds',
        description: 'What is or was held back of the payments of all sellers, newest first.',
        tags,
        querystring: reserveHoldsQuery,
        response: { 200: reserveHoldsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await reserveReleases.listHolds(request.query), { cursors: true }),
  )

  app.post(
    '/:id/release',
    {
      config: {
        access: ['admin:finance'],
        errors: ['reserve_hold.not_found', 'reserve_hold.frozen', 'reserve_hold.not_held'],
      },
      schema: {
        operationId: 'releaseReserveHold',
        summary: 'Release a hold before its day',
        description:
          'What is left of it is available at once, and the seller is told by `reserve.released`. While a dispute over its payment runs it is frozen and answers 409.',
        tags,
        params: idParams,
        response: { 200: reserveHoldResponse },
      },
    },
    async (request) => reserveReleases.releaseHold(actorOf(request), request.params.id),
  )
}

/** The release of all that one seller has in reserve. */
export const adminReserveReleasesPlugin: FastifyPluginAsyncZod<Options> = async (app, { reserveReleases }) => {
  app.post(
    '/:id/releases',
    {
      config: { access: ['admin:finance'], errors: ['reserve_config.not_found'] },
      schema: {
        operationId: 'releaseReserves',
        summary: 'Release all reserves of a seller',
        description:
          'Gives back everything that the seller has in reserve by now, whatever its day; frozen holds stay. The work goes on after the answer: the list says how far it is. Asked for while it runs, the same release also covers what was held since. Payments that were made before keep their terms: what they have yet to hold is held.',
        tags,
        params: idParams,
        headers: idempotencyHeaders,
        body: releaseReservesBody,
        response: { 202: reserveReleaseResponse },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const release = await reserveReleases.releaseAll(actorOf(request), id, request.body, idempotencyOf(request))
      return reply.code(202).send(release)
    },
  )

  app.get(
    '/:id/releases',
    {
      config: { access: ['admin:viewer'], errors: ['reserve_config.not_found'] },
      schema: {
        operationId: 'listReserveReleases',
        summary: 'List the releases of a reserve',
        description: 'When all reserves of this seller were released, newest first, and how far that has come.',
        tags,
        params: idParams,
        querystring: reserveReleasesQuery,
        response: { 200: reserveReleasesResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await reserveReleases.listReleases(request.params.id, request.query)),
  )
}
