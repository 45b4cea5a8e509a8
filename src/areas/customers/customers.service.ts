import type { Clock } from '../../clock.ts'
import { type ListResponse, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { ErasePayer } from '../personal-data/erase-payers.ts'
import { customerErrors } from './customers.errors.ts'
import type { Customer } from './customers.repository.ts'
import type { CustomerBody, CustomersQuery } from './customers.schemas.ts'
import { type CustomerView, customerView } from './customers.view.ts'

type Dependencies = {
  read: Pick<Reads, 'customers'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  erasePayer: ErasePayer
  /** Has what was told of them erased, after a commit. */
  eraseCopiesSoon: () => Promise<void>
}

/** What sellers do with the people and companies who pay them. */
// Locked first: of two changes that saw the same customer only one is made.
const checkUnchanged = async (tx: Repositories, { sellerId }: Actor, id: string, precondition: Precondition) => {
  await tx.customers.lock(sellerId, id)
  const customer = await tx.customers.find(sellerId, id)
  if (customer) precondition(customerView(customer))
}

export const createCustomersService = ({
  read,
  transact,
  once,
  clock,
  newId,
  erasePayer,
  eraseCopiesSoon,
}: Dependencies) => ({
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
   * Takes the person out of the record, out of their payments, which stay with their amounts, and soon after out of what was
   * told of them. There is no way back. Throws customer.not_found, also for one who is deleted already.
   */
  async remove(actor: Actor, id: string): Promise<void> {
    const { sellerId, userId: requestedBy } = actor
    await transact(async (tx) => {
      if (!(await tx.customers.lock(sellerId, id))) throw customerErrors.not_found()
      const now = clock.now()
      const { paymentsCount } = await erasePayer(tx, { sellerId, requestedBy, payer: { customerId: id } }, now)
      const target = { targetType: 'customer', targetId: id, sellerId }
      await tx.audit.add({ actor, action: 'customer.anonymize', ...target, after: { paymentsCount } }, now)
    })
    await eraseCopiesSoon()
  },
})

export type CustomersService = ReturnType<typeof createCustomersService>
