import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { ANONYMOUS_NAME } from '../../domain/anonymous.ts'
import { type ListResponse, pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
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
export const createCustomersService = ({ read, transact, once, clock, newId }: Dependencies) => ({
  /** Throws customer.document_taken. */
  create: (actor: Actor, body: CustomerBody, idempotency: Idempotency | undefined): Promise<CustomerView> =>
    once(idempotency, async (tx) => {
      const now = clock.now()
      const born = { createdAt: now, updatedAt: now, deletedAt: null }
      const customer: Customer = { ...body, ...born, sellerId: actor.userId, id: newId() }
      await tx.customers.insert(customer)
      return customerView(customer)
    }),

  /** The seller's own customers, newest first. */
  async list(actor: Actor, query: CustomersQuery): Promise<ListResponse<CustomerView>> {
    const request = pageRequest(query)
    const { externalReference, search } = query
    const filter = { ...periodOf(query), externalReference, search }
    return toListResponse(await read.customers.list(actor.userId, filter, request), request, customerView)
  },

  /** Throws customer.not_found. */
  async get(actor: Actor, id: string): Promise<CustomerView> {
    const customer = await read.customers.find(actor.userId, id)
    if (customer === undefined) throw customerErrors.not_found()
    return customerView(customer)
  },

  /** Replaces all that is told of the customer; payments keep what they were made with. Throws customer.not_found and document_taken. */
  update: (actor: Actor, id: string, body: CustomerBody): Promise<CustomerView> =>
    transact(async (tx) => {
      const customer = await tx.customers.update(actor.userId, id, body, clock.now())
      if (customer === undefined) throw customerErrors.not_found()
      return customerView(customer)
    }),

  /**
   * Takes the person out of the record and out of their payments, which stay with their amounts (LGPD, Lei 13.709/2018,
   * arts. 16 and 18). There is no way back. Throws customer.not_found, also for one who is deleted already.
   */
  remove: (actor: Actor, id: string): Promise<void> =>
    transact(async (tx) => {
      if (!(await tx.customers.lock(actor.userId, id))) throw customerErrors.not_found()
      const now = clock.now()
      await tx.customers.deleteSoftly(actor.userId, id, ANONYMOUS, now)
      const paymentsCount = await tx.payerSnapshots.updateAnonymous(actor.userId, id)
      const target = { targetType: 'customer', targetId: id, sellerId: actor.userId }
      await tx.audit.add({ actor, action: 'customer.anonymize', ...target, after: { paymentsCount } }, now)
    }),
})

export type CustomersService = ReturnType<typeof createCustomersService>
