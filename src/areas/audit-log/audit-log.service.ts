import { toListResponse } from '../../db/page.ts'
import type { Reads } from '../../repositories.ts'
import type { AuditLogQuery } from './audit-log.schemas.ts'
import { auditView } from './audit-log.view.ts'

type Dependencies = { read: Pick<Reads, 'audit'> }

export const createAuditLogService = ({ read }: Dependencies) => ({
  /** Who changed what, newest first. */
  async list({ page, ...filter }: AuditLogQuery) {
    return toListResponse(await read.audit.list(filter, page), page, auditView)
  },
})

export type AuditLogService = ReturnType<typeof createAuditLogService>
