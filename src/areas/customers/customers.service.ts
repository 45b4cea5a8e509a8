import type { Clock } from '../../clock.ts'
import { type ListResponse, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { ANONYMOUS_NAME } from '../../domain/anonymous.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { customerErrors } from './customers.errors.ts'
import type { Customer, CustomerFields } from './customers.repository.ts'
import type { CustomerBody, CustomersQuery } from './customers.schemas.ts'
import { type CustomerView, customerView } from './customers.view.ts'

type Dependencies = {
  read: Pick<Reads, 'customers'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
}

// The seller's reference and metadata go too: they could name the person again.
const ANONYMOUS: CustomerFields = {
  name: ANONYMOUS_NAME,
  email: null,
  document: null,
  documentType: null,
  phone: null,
  address: null,
  externalReference: null,
  metadata: {},
}

/** What sellers do with the people and companies who pay them. */
// Locked first: of two changes that saw the same customer only one is made.
const checkUnchanged = async (tx: Repositories, { sellerId }: Actor, id: string, precondition: Precondition) => {
  await tx.customers.lock(sellerId, id)
  const customer = await tx.customers.find(sellerId, id)
  if (customer) precondition(customerView(customer))
}

export const createCustomersService = ({ read, transact, once, clock, newId }: Dependencies) => ({
  /** Throws customer.document_taken. */
  create: (actor: Actor, body: CustomerBody, idempotency: Idempotency | undefined): Promise<CustomerView> =>
    once(idempotency, async (tx) => {
      const now = clock.now()
      const born = { createdAt: now, updatedAt: now, deletedAt: null }
      const customer: Customer = { ...body, ...born, sellerId: actor.sellerId, id: newId() }
      await tx.customers.insert(customer)
      return customerView(customer)
    }),

  /** The seller's own customers, newest first. */
  async list(actor: Actor, { page, ...filter }: CustomersQuery): Promise<ListResponse<CustomerView>> {
    return toListResponse(await read.customers.list(actor.sellerId, filter, page), page, customerView)
  },

  /** Throws customer.not_found. */
  async get(actor: Actor, id: string): Promise<CustomerView> {
    const customer = await read.customers.find(actor.sellerId, id)
    if (customer === undefined) throw customerErrors.not_found()
    return customerView(customer)
  },

  /** Replaces all that is told of the customer; payments keep what they were made with. Throws customer.not_found and document_taken. */
  update: (actor: Actor, id: string, body: CustomerBody, precondition?: Precondition): Promise<CustomerView> =>
    transact(async (tx) => {
      if (precondition) await checkUnchanged(tx, actor, id, precondition)
      const customer = await tx.customers.update(actor.sellerId, id, body, clock.now())
      if (customer === undefined) throw customerErrors.not_found()
      return customerView(customer)
    }),

  /**
   * Takes the person out of the record and out of their payments, which stay with their amounts (LGPD, Lei 13.709/2018,
   * arts. 16 and 18). There is no way back. Throws customer.not_found, also for one who is deleted already.
   */
  remove: (actor: Actor, id: string): Promise<void> =>
    transact(async (tx) => {
      if (!(await tx.customers.lock(actor.sellerId, id))) throw customerErrors.not_found()
      const now = clock.now()
      await tx.customers.deleteSoftly(actor.sellerId, id, ANONYMOUS, now)
      const paymentsCount = await tx.payerSnapshots.updateAnonymous(actor.sellerId, id)
      const target = { targetType: 'customer', targetId: id, sellerId: actor.sellerId }
      await tx.audit.add({ actor, action: 'customer.anonymize', ...target, after: { paymentsCount } }, now)
    }),
})

export type CustomersService = ReturnType<typeof createCustomersService>
