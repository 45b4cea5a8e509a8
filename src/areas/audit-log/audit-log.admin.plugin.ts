import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { auditLogQuery, auditLogResponse } from './audit-log.schemas.ts'
import type { AuditLogService } from './audit-log.service.ts'

export const auditLogPlugin: FastifyPluginAsyncZod<{ auditLog: AuditLogService }> = async (app, { auditLog }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAuditLog',
        summary: 'List who changed what',
        description: 'Acts of administrators, changes of credentials and accesses to personal data, newest first.',
        tags: ['Admin'],
        querystring: auditLogQuery,
        response: { 200: auditLogResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await auditLog.list(request.query), { cursors: true }),
  )
}
