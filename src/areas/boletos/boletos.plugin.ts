import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { languageFor } from '../../http/language.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { sendPdf } from '../../http/send-pdf.ts'
import { BOLETO_SIZES } from './boleto.pdf.ts'
import type { BoletosService } from './boletos.service.ts'

const boletoQuery = z.strictObject({
  size: z
    .enum(BOLETO_SIZES)
    .default('a4')
    .meta({ description: '`a4` to print, `phone` for a small screen.', examples: ['phone'] }),
})

/** Printed boletos, for sellers. Payers open the address that the payment has. */
export const boletosPlugin: FastifyPluginAsyncZod<{ boletos: BoletosService }> = async (app, { boletos }) => {
  app.get(
    '/:id/boleto',
    {
      config: {
        access: ['seller:viewer'],
        scope: 'payments:read',
        errors: ['payment.not_found', 'payment.no_boleto'],
      },
      schema: {
        operationId: 'getPaymentBoleto',
        summary: 'Get a boleto as a PDF',
        description:
          'One page with the line to type, the barcode, payee, payer, bank, dates and amount; in Portuguese, or in English by Accept-Language. Of one that is not to be paid any more it says so, and has neither line nor barcode.',
        tags: ['Payments'],
        produces: ['application/pdf'],
        params: idParams,
        querystring: boletoQuery,
        response: { 200: z.any().meta({ description: 'The file.', type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const format = { size: request.query.size, language: languageFor(request) }
      return sendPdf(reply, await boletos.get(actorOf(request), request.params.id, format))
    },
  )
}
