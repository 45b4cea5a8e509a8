import { invariant } from '../domain/invariant.ts'
import { isSellerAccount, type LedgerAccount, type TransferKind } from '../domain/ledger.ts'
import { add, type Centavos } from '../domain/money.ts'
import type { PaymentMethod } from '../domain/payment.ts'
import type { Transfer } from '../domain/transfer.ts'
import type { NewId } from '../ids.ts'

/** What became of one transfer. A refused one left nothing behind; the others of its batch are not touched by it. */
export type PostOutcome =
  | { posted: true; transferId: string }
  | { posted: false; reason: 'insufficient_funds'; account: LedgerAccount }
  | { posted: false; reason: 'already_posted' }

/** An account as it stands under our lock. */
export type LockedAccount = {
  sellerId: string
  account: LedgerAccount
  balanceAmount: Centavos
  /** Of `available`: the last posting of the book. */
  lastPostingId: string | null
}

export type PlannedTransfer = Omit<Transfer, 'postings' | 'forced' | 'method' | 'provider'> & {
  id: string
  /** How many postings it has. */
  legs: number
  forced: boolean
  createdAt: Date
}
export type PlannedPosting = {
  sellerId: string
  id: string
  transferId: string
  account: LedgerAccount
  kind: TransferKind
  method: PaymentMethod | null
  provider: string | null
  /** From 1 to `legs`, the number of postings of its transfer. */
  leg: number
  legs: number
  amount: Centavos
  balanceAfterAmount: Centavos
  createdAt: Date
}

/** Everything that a batch writes. */
export type PostingPlan = {
  outcomes: PostOutcome[]
  transfers: PlannedTransfer[]
  postings: PlannedPosting[]
  /** The accounts that changed, as they will stand. */
  accounts: LockedAccount[]
}

export const accountKey = (sellerId: string, account: LedgerAccount): string => `${sellerId} ${account}`
export const transferKey = ({ sellerId, referenceId, kind }: Pick<Transfer, 'sellerId' | 'referenceId' | 'kind'>) =>
  `${sellerId} ${referenceId} ${kind}`

// One more in the last, random bits of a UUIDv7. Only reached when another process' clock runs ahead of ours.
const idAfter = (id: string): string => {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const nextPostingId = (newId: NewId, last: string | null): string => {
  const id = newId()
  return last !== null && id <= last ? idAfter(last) : id
}

// The time of a book never goes back, as its ids do not: where the clock of another process was ahead, it goes on from there.
const notBefore = (last: string | null, now: Date): Date => {
  const lastMs = last === null ? 0 : Number.parseInt(last.slice(0, 8) + last.slice(9, 13), 16)
  return lastMs > now.getTime() ? new Date(lastMs) : now
}

/**
 * Decides transfers in their order over locked accounts. Pure but for the ids. `known` are the keys of transfers that
 * were posted before; an account that is not among the locked ones throws InvariantError.
 */
export const planPostings = (
  transfers: readonly Transfer[],
  locked: readonly LockedAccount[],
  known: ReadonlySet<string>,
  { newId, now }: { newId: NewId; now: Date },
): PostingPlan => {
  const accounts = new Map(locked.map((row) => [accountKey(row.sellerId, row.account), { ...row }]))
  const posted = new Set(known)
  const changed = new Set<LockedAccount>()
  const plan: PostingPlan = { outcomes: [], transfers: [], postings: [], accounts: [] }

  const accountOf = (sellerId: string, account: LedgerAccount): LockedAccount => {
    const found = accounts.get(accountKey(sellerId, account))
    invariant(found, `the book of seller ${sellerId} has no account ${account}`)
    return found
  }

  const shortOf = ({ sellerId, postings }: Transfer): LedgerAccount | undefined =>
    postings.find(
      ({ account, amount }) =>
        amount < 0 && isSellerAccount(account) && add(accountOf(sellerId, account).balanceAmount, amount) < 0,
    )?.account

  const write = ({ postings, method, provider = null, forced = false, ...rest }: Transfer): PostOutcome => {
    const { sellerId, kind } = rest
    const transferId = newId()
    const legs = postings.length
    const book = accountOf(sellerId, 'available')
    const createdAt = notBefore(book.lastPostingId, now)
    plan.transfers.push({ ...rest, id: transferId, legs, forced, createdAt })
    changed.add(book)
    for (const [index, { account, amount }] of postings.entries()) {
      const row = accountOf(sellerId, account)
      row.balanceAmount = add(row.balanceAmount, amount)
      changed.add(row)
      const id = nextPostingId(newId, book.lastPostingId)
      book.lastPostingId = id
      const balanceAfterAmount = row.balanceAmount
      const posting = {
        sellerId,
        id,
        transferId,
        account,
        kind,
        method,
        provider,
        leg: index + 1,
        legs,
        amount,
        balanceAfterAmount,
      }
      plan.postings.push({ ...posting, createdAt })
    }
    return { posted: true, transferId }
  }

  const decide = (transfer: Transfer): PostOutcome => {
    const key = transferKey(transfer)
    if (posted.has(key)) return { posted: false, reason: 'already_posted' }
    const account = transfer.forced ? undefined : shortOf(transfer)
    if (account !== undefined) return { posted: false, reason: 'insufficient_funds', account }
    posted.add(key)
    return write(transfer)
  }

  plan.outcomes = transfers.map(decide)
  plan.accounts = [...changed]
  return plan
}
