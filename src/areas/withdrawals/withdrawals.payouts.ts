import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { eachApart } from '../../each-apart.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { Holder, PayoutRequest, PayoutState, Seller } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { withdrawalEvent } from './withdrawals.events.ts'
import { applyPayoutNews } from './withdrawals.outcome.ts'
import type { Withdrawal } from './withdrawals.queries.ts'

const BATCH_MAX = 20
/** A payout that is out for longer without an outcome is worth a person's look. */
const ALERT_AFTER_MS = 30 * 60_000

type Dependencies = {
  read: Pick<Reads, 'providerReferences' | 'paymentTerms'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

type Payouts = NonNullable<GuardedProvider['payouts']>

// A document as a key names its holder. Any other key must be the approved company's.
const holderOf = ({ pixKeyType, pixKey }: Withdrawal, seller: Seller | undefined): Holder | null => {
  const company = seller?.document ? { name: seller.name, document: seller.document } : null
  if (pixKeyType !== 'cpf' && pixKeyType !== 'cnpj') return company
  return company?.document === pixKey ? company : { name: null, document: pixKey }
}

const requestOf = (withdrawal: Withdrawal, seller: Seller | undefined): PayoutRequest => {
  const { id, sellerId, netAmount, pixKeyType, pixKey, description } = withdrawal
  const holder = holderOf(withdrawal, seller)
  return { withdrawalId: id, sellerId, amount: netAmount, pixKeyType, pixKey, holder, description }
}

// What failed is still `processing`, so it is asked about.
const FAILED = 'outcomes of payouts could not be written'

/** The jobs that pay withdrawals out: one sends, the other asks about what was sent and not answered. */
export const createPayouts = ({ read, transact, providers, clock, logger }: Dependencies) => {
  const write = async (row: Withdrawal, state: PayoutState, reference: string | null): Promise<void> => {
    const { sellerId, id } = row
    await transact(async (tx) => {
      if (reference !== null) {
        const filed = { provider: row.provider, kind: 'payout' as const, reference, sellerId, resourceId: id }
        await tx.providerReferences.insertMany([filed])
      }
      await applyPayoutNews(tx, [{ sellerId, id, state }], { now: clock.now(), logger })
    })
  }

  // The withdrawal's id is the payout's key, so sending it again cannot pay twice. Unknown is not failed: it stays out.
  const send = async (payouts: Payouts, row: Withdrawal): Promise<void> => {
    const [seller] = await read.paymentTerms.findSellers([row.sellerId])
    const result = await payouts.create(requestOf(row, seller))
    if (result.outcome === 'accepted') await write(row, result.payout.state, result.payout.reference)
    else if (result.outcome === 'refused') await write(row, { status: 'failed', reason: result.reason }, null)
    else logger.warn({ withdrawalId: row.id, reason: result.reason }, 'the outcome of a payout is not known yet')
  }

  const ask = async (row: Withdrawal): Promise<void> => {
    const { sellerId, id, sentAt } = row
    const payouts = providers.find(row.provider)?.payouts
    const outForMs = clock.now().getTime() - (sentAt ?? clock.now()).getTime()
    if (outForMs > ALERT_AFTER_MS) logger.warn({ withdrawalId: id, outForMs }, 'a payout has no outcome for long')
    if (payouts === undefined) return logger.error({ withdrawalId: id }, 'the provider of a payout is not configured')
    const owner = { sellerId, resourceId: id }
    const reference = await read.providerReferences.findByResource(row.provider, 'payout', owner)
    const found = await payouts.get({ withdrawalId: id, reference })
    if (found.outcome === 'found') await write(row, found.payout.state, found.payout.reference)
    else if (found.outcome === 'missing') await send(payouts, row)
  }

  const claim = (provider: string) =>
    transact(async (tx) => {
      const now = clock.now()
      await tx.withdrawals.updateBlocked(now)
      const rows = await tx.withdrawals.claimApproved(provider, BATCH_MAX, now)
      const events = rows.map((row) => withdrawalEvent('withdrawal.processing', row))
      await tx.events.add(events, now)
      return rows
    })

  return {
    payWithdrawals: {
      /** Sends one batch of approved withdrawals. Answers how many. */
      async runOnce(): Promise<number> {
        const { payouts: provider } = providers.routes
        if (provider?.payouts === undefined || provider.restsForMs() > 0) return 0
        const { payouts } = provider
        const rows = await claim(provider.name)
        await eachApart(rows, (row) => send(payouts, row), FAILED)
        return rows.length
      },
    },

    reconcilePayouts: {
      /** Asks once about a batch of payouts without an outcome. Answers how many; the same ones are due much later. */
      async runOnce(): Promise<number> {
        const rows = await transact((tx) => tx.withdrawals.claimUnanswered(BATCH_MAX, clock.now()))
        await eachApart(rows, ask, FAILED)
        return rows.length
      },
    },
  }
}
