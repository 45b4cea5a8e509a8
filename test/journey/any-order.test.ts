import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../src/domain/money.ts'
import type {
  ChargeState,
  DisputeState,
  Notification,
  PayoutState,
  RefundState,
} from '../../src/providers/provider.port.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { callBack, chargeNotification, paidNotification } from '../support/callbacks.ts'
import type { Seller } from '../support/factories.ts'
import { createPayment, getPayment, PAYER, sellingSeller, setReserve } from '../support/payments.ts'
import { bookOf, disputeNotification, findings, paidPix, refunded, refundsOf, runJobs } from '../support/refunds.ts'
import { configure, requested } from '../support/withdrawals.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Enough for everything that waits to be tried until it fits. */
const ROUNDS_MAX = 30

/** A word of the provider, or something that we do ourselves: it may come before, between or after the words. */
type Step = Notification | (() => Promise<unknown>)

/** What is told about one thing, in the order in which it happened, and what there is to see of it in the end. */
type Story = { steps: readonly Step[]; seen: () => Promise<unknown> }

type Tell = (own: Seller, name: string) => Promise<Story>

let app: TestApp
let runs = 0

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const reference = (id: string) => id.replaceAll('-', '')

const charge = (paymentId: string, status: 'pending' | 'processing' | 'expired' | 'canceled'): Notification => {
  const waits = status === 'pending' || status === 'processing'
  return chargeNotification(paymentId, (waits ? { status } : { status, reason: null }) as ChargeState)
}

const opened = (name: string, paymentId: string, type: 'med' | 'chargeback', amount: number): Notification => {
  const respondBy = new Date(app.clock.now().getTime() + 30 * DAY_MS)
  const claim = { type, chargeReference: reference(paymentId), amount: centavos(amount), reason: 'Fraud', respondBy }
  return disputeNotification(name, { status: 'open', ...claim })
}

const verdict = (name: string, status: 'won' | 'lost' | 'canceled'): Notification =>
  disputeNotification(name, { status } satisfies DisputeState)

const sentBack = (name: string, paymentId: string, amount: number): Notification => ({
  kind: 'refund',
  reference: name,
  state: { status: 'completed' },
  begun: { chargeReference: reference(paymentId), amount: centavos(amount), reason: null },
})

const refundNotification = (id: string, state: RefundState): Notification => ({
  kind: 'refund',
  reference: reference(id),
  state,
})
const payoutNotification = (id: string, state: PayoutState): Notification => ({
  kind: 'payout',
  reference: reference(id),
  state,
})

/** Everything about a payment that its order must not decide on. */
const seenOf = (own: Seller, id: string) => async () => {
  const { status, statusReason, paidAmount, refundedAmount, netAmount, feeAmount } = await getPayment(app, own, id)
  const refunds = (await refundsOf(app, own, id)) as { amount: number; status: string; origin: string }[]
  const disputes = (await app.api.get(`disputes?paymentId=${id}`, { token: own.token })).body.data as {
    type: string
    status: string
    amount: number
  }[]
  return {
    payment: { status, statusReason, paidAmount, refundedAmount, netAmount, feeAmount },
    refunds: refunds.map(({ amount, status: state, origin }) => `${origin} ${amount} ${state}`).sort(),
    disputes: disputes.map(({ type, status: state, amount }) => `${type} ${amount} ${state}`).sort(),
  }
}

const pix = async (own: Seller) => (await createPayment(app, own)).id as string

const authorizedCard = async (own: Seller) => {
  const card = { method: 'credit_card', cardToken: 'tok_0001', installments: 3, capture: false, customer: PAYER }
  return (await createPayment(app, own, card)).id as string
}

const approvedPayout = async (own: Seller) => (await requested(app, own, { amount: 1_091 })).id as string

const send = (job: 'sendRefunds' | 'payWithdrawals') => () => runJobs(app, [job])

const stories: Record<string, Tell> = {
  'a Pix that expires and is paid late after all': async (own) => {
    const id = await pix(own)
    return {
      steps: [charge(id, 'pending'), charge(id, 'expired'), paidNotification(id)],
      seen: seenOf(own, id),
    }
  },
  'a Pix that is paid too little, then whole': async (own) => {
    const id = await pix(own)
    return { steps: [paidNotification(id, 9_000), paidNotification(id, 10_000)], seen: seenOf(own, id) }
  },
  'a canceled Pix, paid late and charged back': async (own, name) => {
    const id = await pix(own)
    return {
      steps: [charge(id, 'canceled'), paidNotification(id), opened(name, id, 'med', 10_000), verdict(name, 'lost')],
      seen: seenOf(own, id),
    }
  },
  'a Pix of which the provider sends back two parts, disputed and won': async (own, name) => {
    const id = await pix(own)
    return {
      steps: [
        paidNotification(id),
        sentBack(`${name}-a`, id, 3_000),
        sentBack(`${name}-b`, id, 500),
        opened(name, id, 'med', 10_000),
        verdict(name, 'won'),
      ],
      seen: seenOf(own, id),
    }
  },
  'a Pix, sent back in part by the provider, and another part of it lost': async (own, name) => {
    const id = await pix(own)
    return {
      steps: [paidNotification(id), sentBack(name, id, 3_000), opened(name, id, 'med', 4_000), verdict(name, 'lost')],
      seen: seenOf(own, id),
    }
  },
  'a Pix that the provider sends back whole': async (own, name) => {
    const id = await pix(own)
    return { steps: [paidNotification(id), sentBack(name, id, 10_000)], seen: seenOf(own, id) }
  },
  'a Pix disputed twice: withdrawn, and lost in part': async (own, name) => {
    const id = await pix(own)
    return {
      steps: [
        paidNotification(id),
        opened(`${name}-a`, id, 'med', 2_000),
        verdict(`${name}-a`, 'canceled'),
        opened(`${name}-b`, id, 'med', 3_000),
        verdict(`${name}-b`, 'lost'),
      ],
      seen: seenOf(own, id),
    }
  },
  'a card, captured late, sent back in part, and a chargeback of the rest lost': async (own, name) => {
    const id = await authorizedCard(own)
    return {
      steps: [
        chargeNotification(id, { status: 'authorized' }),
        paidNotification(id),
        sentBack(name, id, 4_000),
        opened(name, id, 'chargeback', 6_000),
        verdict(name, 'lost'),
      ],
      seen: seenOf(own, id),
    }
  },
  'a card’s chargeback that is won': async (own, name) => {
    const id = await authorizedCard(own)
    return {
      steps: [paidNotification(id), opened(name, id, 'chargeback', 10_000), verdict(name, 'won')],
      seen: seenOf(own, id),
    }
  },
  'a refund of ours that completes, and a dispute of the rest that is lost': async (own, name) => {
    const { id } = await paidPix(app, own)
    const refund = await refunded(app, own, id, 2_091)
    return {
      steps: [
        send('sendRefunds'),
        refundNotification(refund.id, { status: 'processing' }),
        refundNotification(refund.id, { status: 'completed' }),
        opened(name, id, 'med', 7_909),
        verdict(name, 'lost'),
      ],
      seen: seenOf(own, id),
    }
  },
  'a refund of ours that fails': async (own) => {
    const { id } = await paidPix(app, own)
    const refund = await refunded(app, own, id, 2_091)
    return {
      steps: [
        send('sendRefunds'),
        refundNotification(refund.id, { status: 'processing' }),
        refundNotification(refund.id, { status: 'failed', reason: 'account_closed' }),
      ],
      seen: seenOf(own, id),
    }
  },
  'a payout that completes and comes back': async (own) => {
    const id = await approvedPayout(own)
    return {
      steps: [
        send('payWithdrawals'),
        payoutNotification(id, { status: 'processing' }),
        payoutNotification(id, { status: 'completed', endToEndId: null }),
        payoutNotification(id, { status: 'returned', reason: 'account_closed' }),
      ],
      seen: async () => (await app.api.get(`withdrawals/${id}`, { token: own.token })).body.status,
    }
  },
  'a payout that fails': async (own) => {
    const id = await approvedPayout(own)
    return {
      steps: [
        send('payWithdrawals'),
        payoutNotification(id, { status: 'processing' }),
        payoutNotification(id, { status: 'failed', reason: 'key_unknown' }),
      ],
      seen: async () => (await app.api.get(`withdrawals/${id}`, { token: own.token })).body.status,
    }
  },
}

const waiting = async (): Promise<number> => {
  const { rows } = await app.sql.query('select count(*)::int from provider_events where next_attempt_at is not null')
  return rows[0].count
}

/** Lets the clock go on until no callback waits to be tried again. */
const settle = async () => {
  for (let round = 0; (await waiting()) > 0; round += 1) {
    if (round === ROUNDS_MAX) throw new Error('callbacks wait for something that never comes')
    app.clock.setOffsetMs(app.clock.offsetMs() + HOUR_MS)
    await runJobs(app, ['processProviderEvents'])
  }
}

const live = async (steps: readonly Step[], together: readonly boolean[]) => {
  let batch: Notification[] = []
  const flush = async () => {
    if (batch.length > 0) await callBack(app, batch)
    batch = []
  }
  for (const [at, step] of steps.entries()) {
    if (typeof step === 'function' || !together[at]) await flush()
    if (typeof step === 'function') await step()
    else batch.push(step)
  }
  await flush()
  await settle()
}

/** What a story leaves behind: the things in it, and how the book has changed. */
const outcomeOf = async (own: Seller, tell: Tell, order: (count: number) => number[], together: readonly boolean[]) => {
  runs += 1
  const before = await bookOf(app, own)
  const { steps, seen } = await tell(own, `claim-${runs}`)
  await live(
    order(steps.length).flatMap((at) => steps[at] ?? []),
    together,
  )
  const after = await bookOf(app, own)
  const accounts = new Set([...Object.keys(before), ...Object.keys(after)])
  const moved = [...accounts].map((account) => [account, (after[account] ?? 0) - (before[account] ?? 0)] as const)
  return { seen: await seen(), book: Object.fromEntries(moved.filter(([, amount]) => amount !== 0)) }
}

/** A seller with a reserve of 10 %, and enough to withdraw. */
const seller = async (): Promise<Seller> => {
  const own = await sellingSeller(app)
  await paidPix(app, own, { amount: 1_000_000 })
  await setReserve(app, own, 1_000, 30)
  await configure(app, own.id, { minAmount: 1, autoApproveMaxAmount: 1_000_000 })
  return own
}

const inOrder = (count: number) => Array.from({ length: count }, (_, at) => at)

test.each(Object.entries(stories))(
  '%s: in any order, any number of times, the end is the same',
  { timeout: 180_000 },
  async (_, tell) => {
    const own = await seller()
    const expected = await outcomeOf(own, tell, inOrder, [])
    // Numbers that sort the steps and their repeats; which go into one callback with the one before.
    const draws = {
      rank: fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
      repeats: fc.array(fc.nat(2), { minLength: 10, maxLength: 10 }),
    }
    const shuffles = fc.record({ ...draws, together: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }) })
    await fc.assert(
      fc.asyncProperty(shuffles, async ({ rank, repeats, together }) => {
        const order = (count: number) =>
          inOrder(count)
            .flatMap((at) => Array.from({ length: 1 + (repeats[at] ?? 0) }, () => at))
            .map((at, place) => ({ at, rank: rank[place] ?? 0 }))
            .toSorted((one, other) => one.rank - other.rank)
            .map(({ at }) => at)
        expect(await outcomeOf(own, tell, order, together)).toEqual(expected)
      }),
      { numRuns: 8 },
    )
  },
)
