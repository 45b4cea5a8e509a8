import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { notificationsResponse, updateNotificationsBody } from './notifications.schemas.ts'
import type { NotificationsService } from './notifications.service.ts'

const config = {
  access: ['seller:viewer', 'admin:viewer'],
  scope: 'interactive',
  errors: ['user.not_found'],
  conditional: true,
} as const

/** Which mails one gets. */
export const notificationsPlugin: FastifyPluginAsyncZod<{ notifications: NotificationsService }> = async (
  app,
  { notifications },
) => {
  app.get(
    '/:id/notifications',
    {
      config,
      schema: {
        operationId: 'getNotifications',
        summary: 'See which mails one gets',
        description:
          'One’s own choice. Whoever has never chosen gets all mails, in Portuguese, and sends no receipts to payers.',
        tags: ['Users'],
        params: idParams,
        response: { 200: notificationsResponse },
      },
    },
    async (request) => notifications.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id/notifications',
    {
      config,
      schema: {
        operationId: 'updateNotifications',
        summary: 'Choose which mails one gets',
        description:
          'Replaces one’s own choice. Mails about the security of the account, such as a changed password, always come. What is turned off is not sent any more, also if it was asked for before.',
        tags: ['Users'],
        params: idParams,
        body: updateNotificationsBody,
        response: { 200: notificationsResponse },
      },
    },
    async (request) => notifications.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )
}
