import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import { IDEMPOTENCY_TTL_MS } from '../../idempotency/answers.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import { auditView } from '../audit-log/audit-log.view.ts'
import { brandingSummaryView, type LogoUrl } from '../branding/branding.view.ts'
import { companyView } from '../companies/companies.view.ts'
import { customerErrors } from '../customers/customers.errors.ts'
import { customerView } from '../customers/customers.view.ts'
import { credentialsView } from '../integrations/integrations.view.ts'
import { savedCardView } from '../saved-cards/saved-cards.view.ts'
import { userErrors } from '../users/users.errors.ts'
import { accountOf, userView } from '../users/users.view.ts'
import type { Payer } from './erase-payers.ts'
import { EXPORT_RECORDS_MAX } from './personal-data.schemas.ts'
import {
  allView,
  payerPaymentView,
  recordsView,
  sessionView,
  toldView,
  webhookView,
  withdrawalView,
} from './personal-data.view.ts'

type Dependencies = { transact: Transact; clock: Clock; logoUrl: LogoUrl }

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const companiesOf = async ({ personalData }: Repositories, userId: string) => {
  const found = await personalData.listCompanies(userId)
  const documents = await personalData.listDocuments(
    userId,
    found.rows.map(({ id }) => id),
  )
  const byCompany = Map.groupBy(documents, ({ companyId }) => companyId)
  return recordsView(found, (company) => companyView(company, byCompany.get(company.id) ?? []))
}

const auditOf = async ({ audit }: Repositories, id: string) =>
  recordsView(
    { totalRecords: await audit.countAbout(id), rows: await audit.listAbout(id, EXPORT_RECORDS_MAX) },
    auditView,
  )

const secondFactorOf = async ({ totp }: Repositories, userId: string) => {
  const secret = await totp.find(userId)
  if (secret === undefined) return null
  const enabledAt = toTimestampOrNull(secret.confirmedAt)
  return {
    createdAt: toTimestamp(secret.createdAt),
    enabledAt,
    recoveryCodesLeft: await totp.countRecoveryCodes(userId),
  }
}

const credentialsOf = async ({ personalData }: Repositories, userId: string, now: Date) => {
  const credentials = await personalData.findCredentials(userId)
  return credentials === undefined ? null : credentialsView(credentials, now)
}

/** First answers go by whole days, after the day for which they are repeated. */
const ANSWERS_KEPT_MS = 2 * IDEMPOTENCY_TTL_MS

// Where what payments tell of their payer stands besides.
const copiesOf = async (
  { personalData }: Repositories,
  sellerId: string,
  { paymentIds, otherIds }: { paymentIds: readonly string[]; otherIds: readonly string[] },
  now: Date,
) => {
  const events = await personalData.listEventsAbout(sellerId, paymentIds)
  const since = new Date(now.getTime() - ANSWERS_KEPT_MS)
  const eventIds = events.map(({ id }) => id)
  return {
    events: allView(events, toldView),
    answers: allView(await personalData.listAnswersWith(sellerId, [...paymentIds, ...otherIds], since), toldView),
    receipts: allView(await personalData.listReceiptsOf(sellerId, eventIds), toldView),
  }
}

/**
 * What is kept about a person, for those who ask (LGPD, Lei 13.709/2018, arts. 18 and 19). Each access is written into
 * the audit log by the transaction that reads, so that nobody's data leaves without a trace.
 */
export const createPersonalDataService = ({ transact, clock, logoUrl }: Dependencies) => ({
  /** A user, also a deleted one. Throws user.not_found. */
  exportUser: (actor: Actor, userId: string) =>
    transact(async (tx) => {
      const user = await tx.users.find(userId)
      if (user === undefined) throw userErrors.not_found()
      const now = clock.now()
      const target = { targetType: 'user', targetId: userId, ...accountOf(user) }
      await tx.audit.add({ actor, action: 'user.export_personal_data', ...target }, now)
      return {
        exportedAt: toTimestamp(now),
        recordsMax: EXPORT_RECORDS_MAX,
        user: userView(user),
        companies: await companiesOf(tx, userId),
        branding: brandingSummaryView(await tx.branding.find(userId), logoUrl),
        secondFactor: await secondFactorOf(tx, userId),
        sessions: recordsView(await tx.personalData.listSessions(userId), sessionView),
        credentials: await credentialsOf(tx, userId, now),
        webhooks: recordsView(await tx.personalData.listWebhooks(userId), webhookView),
        withdrawals: recordsView(await tx.personalData.listWithdrawals(userId), withdrawalView),
        auditLog: await auditOf(tx, userId),
        paymentCounts: await tx.personalData.countPayments(userId),
        paymentLinksCount: await tx.personalData.countPaymentLinks(userId),
        customersCount: await tx.personalData.countCustomers(userId),
      }
    }),

  /** A seller's customer, also a deleted one, of whom nothing is left. Throws customer.not_found. */
  exportCustomer: (actor: Actor, sellerId: string, id: string) =>
    transact(async (tx) => {
      const customer = await tx.personalData.findCustomer(sellerId, id)
      if (customer === undefined) throw customerErrors.not_found()
      const now = clock.now()
      const target = { targetType: 'customer', targetId: id, sellerId }
      await tx.audit.add({ actor, action: 'customer.export_personal_data', ...target }, now)
      const payments = await tx.personalData.listCustomerPayments(sellerId, id)
      const cards = await tx.personalData.listCards(sellerId, [id])
      const told = { paymentIds: idsOf(payments.rows), otherIds: [id, ...idsOf(cards)] }
      return {
        exportedAt: toTimestamp(now),
        recordsMax: EXPORT_RECORDS_MAX,
        customer: customerView(customer),
        cards: allView(cards, savedCardView),
        payments: recordsView(payments, payerPaymentView),
        ...(await copiesOf(tx, sellerId, told, now)),
        auditLog: await auditOf(tx, id),
      }
    }),

  /** Whoever paid the actor's account, a customer or not. Nobody found is an empty answer. */
  exportPayer: (actor: Actor, payer: Payer) =>
    transact(async (tx) => {
      const { sellerId } = actor
      const now = clock.now()
      const target = { targetType: 'user', targetId: sellerId, sellerId }
      await tx.audit.add({ actor, action: 'payer.export_personal_data', ...target }, now)
      const customers = await tx.personalData.listCustomersMeant(sellerId, payer)
      const customerIds = idsOf(customers)
      const cards = await tx.personalData.listCards(sellerId, customerIds)
      const paymentIds = await tx.personalData.listPaymentIdsOf(sellerId, payer, customerIds)
      return {
        exportedAt: toTimestamp(now),
        recordsMax: EXPORT_RECORDS_MAX,
        customers: allView(customers, customerView),
        cards: allView(cards, savedCardView),
        payments: recordsView(await tx.personalData.listPaymentsTelling(sellerId, paymentIds), payerPaymentView),
        ...(await copiesOf(tx, sellerId, { paymentIds, otherIds: [...customerIds, ...idsOf(cards)] }, now)),
      }
    }),
})

export type PersonalDataService = ReturnType<typeof createPersonalDataService>
