import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { Reads } from '../../repositories.ts'
import type { AuditLogQuery } from './audit-log.schemas.ts'
import { auditView } from './audit-log.view.ts'

type Dependencies = { read: Pick<Reads, 'audit'> }

export const createAuditLogService = ({ read }: Dependencies) => ({
  /** Who changed what, newest first. */
  async list(query: AuditLogQuery) {
    const request = pageRequest(query)
    const { actorId, targetId, sellerId, action } = query
    const page = await read.audit.list({ ...periodOf(query), actorId, targetId, sellerId, action }, request)
    return toListResponse(page, request, auditView)
  },
})

export type AuditLogService = ReturnType<typeof createAuditLogService>
