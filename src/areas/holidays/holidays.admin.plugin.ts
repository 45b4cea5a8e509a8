import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { holidayParams, holidayResponse, holidaysQuery, holidaysResponse, putHolidayBody } from './holidays.schemas.ts'
import type { HolidaysService } from './holidays.service.ts'

const tags = ['Admin']

export const adminHolidaysPlugin: FastifyPluginAsyncZod<{ holidays: HolidaysService }> = async (app, { holidays }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listHolidays',
        summary: 'List bank holidays',
        description:
          'The days of a year on which banks do not settle: those of the law, and what administrators said about single dates.',
        tags,
        querystring: holidaysQuery,
        response: { 200: holidaysResponse },
      },
    },
    async (request) => holidays.list(request.query),
  )

  app.put(
    '/:date',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'setHoliday',
        summary: 'Set a bank holiday',
        description:
          'For holidays that are announced late or moved. Settlement dates and due dates computed from now on heed it; those of payments that are paid already stay.',
        tags,
        params: holidayParams,
        body: putHolidayBody,
        response: { 200: holidayResponse },
      },
    },
    async (request) => holidays.set(actorOf(request), request.params.date, request.body),
  )

  app.delete(
    '/:date',
    {
      config: { access: ['admin:finance'], errors: ['holiday.not_found'] },
      schema: {
        operationId: 'removeHoliday',
        summary: 'Remove an override',
        description: 'From now on the national calendar decides on this date again.',
        tags,
        params: holidayParams,
        response: { 204: z.null().meta({ description: 'Removed.' }) },
      },
    },
    async (request, reply) => {
      await holidays.remove(actorOf(request), request.params.date)
      return reply.code(204).send(null)
    },
  )
}
