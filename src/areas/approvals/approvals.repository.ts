import { and, eq, gt, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
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
import { ROLES_THAT_MEET } from '../../domain/roles.ts'
import { users } from '../users/users.tables.ts'
import { approvalPolicy, approvals } from './approvals.tables.ts'

export type Approval = typeof approvals.$inferSelect
export type PolicyRow = ApprovalPolicy & { updatedAt: Date | null }
export type ApprovalFilter = Period & {
  status?: readonly ApprovalStatus[] | undefined
  kind?: readonly ApprovalKind[] | undefined
}

type Decision = Pick<Approval, 'decidedBy' | 'decisionReason' | 'decidedAt' | 'updatedAt'>

/** The administrators who had a part in how a seller came to be on the platform. */
export type Involved = { createdBy: string | null; approvedBy: readonly string[] }

const POLICY_ID = 1
const DECIDING = ROLES_THAT_MEET['admin:finance']

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

  async find(id: string): Promise<Approval | undefined> {
    const [row] = await db.select().from(approvals).where(eq(approvals.id, id))
    return row
  },

  /** Newest first. */
  async list(filter: ApprovalFilter, page: PageRequest): Promise<Page<Approval>> {
    return readPage({ db, table: approvals, id: approvals.id, where: selected(filter) }, page)
  },

  /** Who made each seller's account, and who approved its companies, by seller. */
  async listInvolved(sellerIds: readonly string[]): Promise<ReadonlyMap<string, Involved>> {
    if (sellerIds.length === 0) return new Map()
    const { rows } = await db.execute<Involved & { id: string }>(sql`
      select users.id, users.created_by as "createdBy", array(
        select distinct approved_by::text from companies
        where companies.seller_id = users.id and approved_by is not null) as "approvedBy"
      from users where users.id = any(${uuids(sellerIds)})`)
    return new Map(rows.map(({ id, ...involved }) => [id, involved]))
  },

  /**
   * Whether an administrator besides these may decide on money, or might have until a day ago: who was deleted, blocked or
   * given another role since.
   */
  async findOtherDecider(except: readonly string[], now: Date): Promise<boolean> {
    const dayAgo = new Date(now.getTime() - 86_400_000)
    const [found] = await db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.role, 'admin'),
          notInArray(users.id, [...except]),
          or(isNull(users.approvesFrom), lte(users.approvesFrom, now)),
          or(
            gt(users.updatedAt, dayAgo),
            and(isNull(users.deletedAt), isNull(users.blockedAt), inArray(users.accessRole, [...DECIDING])),
          ),
        ),
      )
      .limit(1)
    return found !== undefined
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
