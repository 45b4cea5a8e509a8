import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import { readPage } from '../../db/paging.ts'
import { ANONYMOUS_NAME } from '../../domain/anonymous.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import type { Period } from '../../http/period.ts'
import { userErrors } from './users.errors.ts'
import { users } from './users.tables.ts'

export type User = typeof users.$inferSelect
export type UserChanges = Partial<Pick<User, 'email' | 'passwordHash' | 'name' | 'companyName' | 'phone'>>

// Any fixed number does: it names the lock that the first administrator is made under.
const FIRST_ADMIN_LOCK = 7_201_148_339

const live = isNull(users.deletedAt)

const namingTakenEmail = (error: unknown): never => {
  throw violates(error, 'users_email_uq') ? userErrors.email_taken() : error
}

const createLocks = (db: Executor) => ({
  /** Makes every other process wait until this transaction has looked for administrators and made the first. */
  async lockFirstAdmin(): Promise<void> {
    await db.execute(sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`)
  },

  /** Locks a user who is not deleted until the transaction ends. */
  async lock(id: string): Promise<User | undefined> {
    const [user] = await db
      .select()
      .from(users)
      .where(and(eq(users.id, id), live))
      .for('update')
    return user
  },

  /** Locks all administrators, in the order of their ids, and answers how many there are. */
  async lockAdmins(): Promise<number> {
    const admins = await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'admin'), live))
      .orderBy(asc(users.id))
      .for('update')
    return admins.length
  },

  /** Keeps a password as it is until the transaction ends. False: it was changed, or its user deleted, meanwhile. */
  async lockPassword(id: string, passwordHash: string): Promise<boolean> {
    const found = await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash), live))
      .for('share')
    return found.length === 1
  },
})

export const createUsersRepository = (db: Executor) => ({
  ...createLocks(db),

  /** Throws user.email_taken. */
  async insert(user: User): Promise<void> {
    await db.insert(users).values(user).catch(namingTakenEmail)
  },

  /** A user by id, also a deleted one. */
  async find(id: string): Promise<User | undefined> {
    const [user] = await db.select().from(users).where(eq(users.id, id))
    return user
  },

  /** Users by id, also deleted ones, in no order. At most a page of them. */
  async listByIds(ids: readonly string[]): Promise<User[]> {
    return ids.length === 0
      ? []
      : db
          .select()
          .from(users)
          .where(inArray(users.id, [...ids]))
  },

  /** Who logs in with this address. */
  async findByEmail(email: string): Promise<User | undefined> {
    const [user] = await db
      .select()
      .from(users)
      .where(and(eq(users.email, email), live))
    return user
  },

  async countAdmins(): Promise<number> {
    return db.$count(users, and(eq(users.role, 'admin'), live))
  },

  /** Administrators who are not deleted, newest first. */
  async listAdmins(period: Period, page: PageRequest): Promise<Page<User>> {
    const where = and(eq(users.role, 'admin'), live, madeWithin(users, period))
    return readPage({ db, table: users, id: users.id, where }, page)
  },

  /** The user after the change; undefined when there is none who is not deleted. Throws user.email_taken. */
  async update(id: string, changes: UserChanges, now: Date): Promise<User | undefined> {
    const [user] = await db
      .update(users)
      .set({ ...changes, updatedAt: now })
      .where(and(eq(users.id, id), live))
      .returning()
      .catch(namingTakenEmail)
    return user
  },

  /** Sets a new password where the old one is still this one. False: someone changed it first. */
  async updatePassword(id: string, from: string, to: string, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(users)
      .set({ passwordHash: to, updatedAt: now })
      .where(and(eq(users.id, id), eq(users.passwordHash, from), live))
    return rowCount === 1
  },

  /** Whether a seller may receive payments and withdraw: follows their company. */
  async setApproved(id: string, approved: boolean, now: Date): Promise<void> {
    await db.update(users).set({ approved, updatedAt: now }).where(eq(users.id, id))
  },

  /** Ends an account and takes the person out of it. The address becomes free. */
  async deleteSoftly(id: string, now: Date): Promise<void> {
    // The name of a company of one person is that person's name. The company's own record keeps what the law wants kept.
    const names = { email: `${id}@deleted.invalid`, name: ANONYMOUS_NAME, companyName: ANONYMOUS_NAME }
    const anonymous = { ...names, phone: null, passwordHash: 'deleted' }
    await db
      .update(users)
      .set({ ...anonymous, approved: false, updatedAt: now, deletedAt: now })
      .where(and(eq(users.id, id), live))
  },
})
