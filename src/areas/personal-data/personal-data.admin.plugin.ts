import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { customerDataResponse, customerParams, userDataResponse } from './personal-data.schemas.ts'
import type { PersonalDataService } from './personal-data.service.ts'

type Options = { personalData: PersonalDataService }

const tags = ['Admin']

/** What is kept about a person, for administrators who answer their requests. */
export const adminPersonalDataPlugin: FastifyPluginAsyncZod<Options> = async (app, { personalData }) => {
  app.get(
    '/users/:id/personal-data',
    {
      config: { access: ['admin:support'], errors: ['user.not_found'] },
      schema: {
        operationId: 'exportUserData',
        summary: 'Export what is kept about a user',
        description:
          'Account, companies, logins, credentials without secrets, withdrawals and audit log in one document. Reading it is itself written into the audit log.',
        tags,
        params: idParams,
        response: { 200: userDataResponse },
      },
    },
    async (request) => personalData.exportUser(actorOf(request), request.params.id),
  )

  app.get(
    '/customers/:sellerId/:id/personal-data',
    {
      config: { access: ['admin:support'], errors: ['customer.not_found'] },
      schema: {
        operationId: 'exportCustomerData',
        summary: 'Export what is kept about a customer',
        description:
          'The customer, what their payments tell of them, and where that was told to others, in one document. Reading it is itself written into the audit log.',
        tags,
        params: customerParams,
        response: { 200: customerDataResponse },
      },
    },
    async (request) => personalData.exportCustomer(actorOf(request), request.params.sellerId, request.params.id),
  )
}
