import { randomBytes } from 'node:crypto'
import type { AuditRepository } from '../../audit/audit.repository.ts'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import { defineErrors } from '../../errors.ts'
import { sandboxEndToEndId, sandboxReference } from './sandbox.ids.ts'
import type { BookedRecord, createSandboxRepository, SandboxRecord } from './sandbox.repository.ts'

/** What can be wrong with the statement of the simulated acquirer. */
export const SANDBOX_FAULTS = [
  'lost_callback',
  'doubled',
  'other_amount',
  'wrong_fee',
  'ghost_payout',
  'late_refund',
  'missing_there',
] as const
export type SandboxFault = (typeof SANDBOX_FAULTS)[number]

export const faultErrors = defineErrors('sandbox', {
  nothing_booked: [
    422,
    'The simulated acquirer has booked nothing that this fault could be planted in, or what it needs is missing.',
  ],
})

type SandboxRepository = ReturnType<typeof createSandboxRepository>
type Writes = { sandbox: SandboxRepository; audit: AuditRepository }

type Dependencies = {
  read: { sandbox: Pick<SandboxRepository, 'findBooked'> }
  transact: <Result>(work: (tx: Writes) => Promise<Result>) => Promise<Result>
  clock: Clock
  findPayment: (id: string) => Promise<{ amount: Centavos; method: PaymentMethod } | undefined>
}

export type FaultRequest = { fault: SandboxFault; id?: string | undefined; amount?: number | undefined }

const madeUpReference = (fault: string): string => `${fault.replaceAll('_', '')}${randomBytes(8).toString('hex')}`

/** Makes the simulated acquirer's books say something else than the platform's. */
export const createSandboxFaults = ({ read, transact, clock, findPayment }: Dependencies) => {
  const bookedBy = async (id: string | undefined): Promise<BookedRecord> => {
    const record = id === undefined ? undefined : await read.sandbox.findBooked(sandboxReference(id))
    if (record === undefined) throw faultErrors.nothing_booked()
    return record
  }

  const wanted = (amount: number | undefined): Centavos => {
    if (amount === undefined) throw faultErrors.nothing_booked()
    return centavos(amount)
  }

  const invented = (fault: SandboxFault, kind: SandboxRecord['kind'], amount: Centavos): BookedRecord => {
    const now = clock.now()
    const times = { createdAt: now, updatedAt: now }
    return {
      ...{ kind, reference: madeUpReference(fault), status: 'completed', amount },
      ...{ endToEndId: null, feeAmount: null, ...times },
    }
  }

  const unknownHere = (kind: 'payout' | 'refund', { fault, id, amount }: FaultRequest): BookedRecord => {
    if (id !== undefined) throw faultErrors.nothing_booked()
    return invented(fault, kind, wanted(amount))
  }

  // Money that reached the acquirer, of which nobody here was told.
  const lost = async ({ id = '', amount }: FaultRequest): Promise<BookedRecord> => {
    const payment = await findPayment(id)
    if (payment === undefined) throw faultErrors.nothing_booked()
    const now = clock.now()
    const endToEndId = payment.method === 'pix' ? sandboxEndToEndId(now) : null
    const record = invented('lost_callback', 'charge', amount === undefined ? payment.amount : centavos(amount))
    return { ...record, reference: sandboxReference(id), status: 'paid', endToEndId }
  }

  const twice = async ({ id }: FaultRequest): Promise<BookedRecord> => {
    const record = await bookedBy(id)
    // Without an end-to-end id nothing says of two lines that they are the same money.
    if (record.endToEndId === null || record.kind === 'refund') throw faultErrors.nothing_booked()
    return { ...record, reference: madeUpReference('doubled') }
  }

  const plan: Readonly<
    Record<Exclude<SandboxFault, 'missing_there'>, (request: FaultRequest) => Promise<BookedRecord>>
  > = {
    lost_callback: lost,
    doubled: twice,
    other_amount: async ({ id, amount }) => ({ ...(await bookedBy(id)), amount: wanted(amount) }),
    wrong_fee: async ({ id, amount }) => ({ ...(await bookedBy(id)), feeAmount: wanted(amount) }),
    ghost_payout: async (request) => unknownHere('payout', request),
    late_refund: async (request) => unknownHere('refund', request),
  }

  return {
    /** Plants a fault in the acquirer's books of today, or of the day of what it is about. Throws sandbox.nothing_booked. */
    async plantFault(actor: Actor, request: FaultRequest) {
      const { fault, id } = request
      const isRemoved = fault === 'missing_there'
      const record = isRemoved ? await bookedBy(id) : await plan[fault](request)
      const { kind, reference, amount, updatedAt } = record
      await transact(async (tx) => {
        await (isRemoved ? tx.sandbox.deleteRecord(record) : tx.sandbox.putBooked(record))
        const target = { targetType: 'sandbox_record', targetId: id ?? NIL_UUID }
        const after = { fault, reference, amount }
        await tx.audit.add({ actor, action: 'sandbox.plant_fault', ...target, after }, clock.now())
      })
      return { fault, kind, reference, amount, happenedAt: updatedAt.toISOString() }
    },
  }
}
