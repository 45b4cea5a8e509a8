import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import {
  type ApprovalKind,
  type ApprovalPolicy,
  type ApprovalStatus,
  approvalLifecycle,
  NO_POLICY,
} from '../../domain/approval.ts'
import type { Period } from '../../domain/period.ts'
import { approvalPolicy, approvals } from './approvals.tables.ts'

export type Approval = typeof approvals.$inferSelect
export type PolicyRow = ApprovalPolicy & { updatedAt: Date | null }
export type ApprovalFilter = Period & {
  status?: readonly ApprovalStatus[] | undefined
  kind?: readonly ApprovalKind[] | undefined
}

type Decision = Pick<Approval, 'decidedBy' | 'decisionReason' | 'decidedAt' | 'updatedAt'>

const POLICY_ID = 1

const selected = ({ status, kind, ...period }: ApprovalFilter) =>
  and(
    status === undefined || status.length === 0 ? undefined : inArray(approvals.status, [...status]),
    kind === undefined || kind.length === 0 ? undefined : inArray(approvals.kind, [...kind]),
    madeWithin(approvals, period),
  )

export const createApprovalsQueries = (db: Reader) => ({
  /** What two people are needed for; nothing where nobody ever said anything. */
  async findPolicy(): Promise<PolicyRow> {
    const [row] = await db.select().from(approvalPolicy)
    if (row === undefined) return { ...NO_POLICY, updatedAt: null }
    const { id: _id, fees, roles, ...policy } = row
    return { ...policy, fees: fees ?? false, roles: roles ?? false }
  },

  /** Newest first. */
  async list(filter: ApprovalFilter, page: PageRequest): Promise<Page<Approval>> {
    return readPage({ db, table: approvals, id: approvals.id, where: selected(filter) }, page)
  },

  async findPending(kind: ApprovalKind, subjectId: string): Promise<Approval | undefined> {
    const [row] = await db
      .select()
      .from(approvals)
      .where(and(eq(approvals.kind, kind), eq(approvals.subjectId, subjectId), eq(approvals.status, 'pending')))
    return row
  },
})

export const createApprovalsRepository = (db: Writer) => ({
  ...createApprovalsQueries(db),

  async putPolicy(policy: ApprovalPolicy, now: Date): Promise<void> {
    const set = { ...policy, updatedAt: now }
    await db
      .insert(approvalPolicy)
      .values({ id: POLICY_ID, ...set })
      .onConflictDoUpdate({ target: approvalPolicy.id, set })
  },

  async insert(approval: Approval): Promise<void> {
    await db.insert(approvals).values(approval)
  },

  async lock(id: string): Promise<Approval | undefined> {
    const [row] = await db.select().from(approvals).where(eq(approvals.id, id)).for('update')
    return row
  },

  /** The approval after its decision; undefined when it was decided before. */
  async move(id: string, to: Exclude<ApprovalStatus, 'pending'>, changes: Decision): Promise<Approval | undefined> {
    const where = eq(approvals.id, id)
    const [row] = await moveWhere(db, approvals, approvalLifecycle, { from: 'pending', to, changes, where })
    return row
  },

  /** What was proposed is no longer to be decided, because it was done or ended in another way. */
  async endPending(kind: ApprovalKind, subjectId: string, now: Date): Promise<void> {
    const where = and(eq(approvals.kind, kind), eq(approvals.subjectId, subjectId))
    await moveWhere(db, approvals, approvalLifecycle, {
      from: 'pending',
      to: 'void',
      changes: { updatedAt: now },
      where,
    })
  },
})
