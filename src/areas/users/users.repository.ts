import { and, asc, eq, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../../db/client.ts'
import { violates } from '../../db/errors.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage, readSearchedPage } from '../../db/paging.ts'
import { ANONYMOUS_NAME } from '../../domain/anonymous.ts'
import type { Period } from '../../domain/period.ts'
import { userErrors } from './users.errors.ts'
import { userSearchText, users } from './users.tables.ts'

export type User = typeof users.$inferSelect
export type UserChanges = Partial<
  Pick<
    User,
    'email' | 'emailVerifiedAt' | 'passwordHash' | 'passwordExpiresAt' | 'name' | 'companyName' | 'phone' | 'accessRole'
  >
>

export type UserFilter = Period & {
  role?: User['role'] | undefined
  isBlocked?: boolean | undefined
  search?: string | undefined
}

// Any fixed number does: it names the lock that the first administrator is made under.
const FIRST_ADMIN_LOCK = 7_201_148_339

const live = isNull(users.deletedAt)

const ofAccount = (sellerId: string) => and(or(eq(users.id, sellerId), eq(users.sellerId, sellerId)), live)

const standing = (isBlocked: boolean): SQL => (isBlocked ? isNotNull(users.blockedAt) : isNull(users.blockedAt))

const selected = ({ role, isBlocked, search, ...period }: UserFilter): SQL | undefined =>
  and(
    live,
    role === undefined ? undefined : eq(users.role, role),
    isBlocked === undefined ? undefined : standing(isBlocked),
    search === undefined ? undefined : ilike(userSearchText(users), anywhere(search)),
    madeWithin(users, period),
  )

const namingTakenEmail = (error: unknown): never => {
  throw violates(error, 'users_email_uq') ? userErrors.email_taken() : error
}

export const createUsersQueries = (db: Reader) => ({
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

  /** Everybody of a seller's account who is not deleted, in no order: a team is small. */
  async listMembers(sellerId: string): Promise<User[]> {
    return db.select().from(users).where(ofAccount(sellerId))
  },

  /** Whether somebody is kept out: themselves, or the whole account that they belong to. */
  async findBlocked(id: string): Promise<boolean> {
    const holders = alias(users, 'holders')
    const [found] = await db
      .select({ id: users.id })
      .from(users)
      .leftJoin(holders, eq(holders.id, users.sellerId))
      .where(and(eq(users.id, id), or(isNotNull(users.blockedAt), isNotNull(holders.blockedAt))))
    return found !== undefined
  },

  /** Everybody who is not deleted, newest first. */
  async list(filter: UserFilter, page: PageRequest): Promise<Page<User>> {
    const source = { db, table: users, id: users.id, where: selected(filter) }
    return filter.search === undefined ? readPage(source, page) : readSearchedPage({ ...source, key: undefined }, page)
  },

  async countAdmins(): Promise<number> {
    return db.$count(users, and(eq(users.role, 'admin'), live))
  },

  /** Administrators who are not deleted, newest first. */
  async listAdmins(period: Period, page: PageRequest): Promise<Page<User>> {
    const where = and(eq(users.role, 'admin'), live, madeWithin(users, period))
    return readPage({ db, table: users, id: users.id, where }, page)
  },
})

export const createUsersRepository = (db: Writer) => ({
  ...createUsersQueries(db),

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

  /** Locks everybody of a seller's account who is not deleted, in the order of their ids. */
  async lockMembers(sellerId: string): Promise<User[]> {
    return db.select().from(users).where(ofAccount(sellerId)).orderBy(asc(users.id)).for('update')
  },

  /** Locks all administrators, in the order of their ids. */
  async lockAdmins(): Promise<User[]> {
    return db
      .select()
      .from(users)
      .where(and(eq(users.role, 'admin'), live))
      .orderBy(asc(users.id))
      .for('update')
  },

  /**
   * Writes down a log-in, and keeps the password as it is until the transaction ends. False: it was changed, or its user
   * deleted, meanwhile.
   */
  async noteLogin({ id, passwordHash }: Pick<User, 'id' | 'passwordHash'>, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(users)
      .set({ lastLoginAt: now })
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash), live))
    return rowCount === 1
  },

  /** Throws user.email_taken. */
  async insert(user: User): Promise<void> {
    await db.insert(users).values(user).catch(namingTakenEmail)
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
      .set({ passwordHash: to, passwordExpiresAt: null, updatedAt: now })
      .where(and(eq(users.id, id), eq(users.passwordHash, from), live))
    return rowCount === 1
  },

  /** Keeps somebody out, or lets them in again: null. The user after it; undefined when there is none who is not deleted. */
  async setBlocked(id: string, block: { at: Date; reason: string } | null, now: Date): Promise<User | undefined> {
    const [user] = await db
      .update(users)
      .set({ blockedAt: block?.at ?? null, blockReason: block?.reason ?? null, updatedAt: now })
      .where(and(eq(users.id, id), live))
      .returning()
    return user
  },

  /** Whether a seller may receive payments and withdraw: follows their company. Members are told the same. */
  async setApproved(sellerId: string, approved: boolean, now: Date): Promise<void> {
    await db.update(users).set({ approved, updatedAt: now }).where(ofAccount(sellerId))
  },

  /** Ends an account and takes the person out of it. The address becomes free. */
  async deleteSoftly(id: string, now: Date): Promise<void> {
    // The name of a company of one person is that person's name. The company's own record keeps what the law wants kept.
    const names = { email: `${id}@deleted.invalid`, name: ANONYMOUS_NAME, companyName: ANONYMOUS_NAME }
    const anonymous = { ...names, phone: null, passwordHash: 'deleted', emailVerifiedAt: null }
    await db
      .update(users)
      .set({ ...anonymous, approved: false, updatedAt: now, deletedAt: now })
      .where(and(eq(users.id, id), live))
  },
})
