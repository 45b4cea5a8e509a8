import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import {
  type CallbackCapability,
  type CallbackReading,
  type Notification,
  UnreadableCallbackError,
} from '../provider.port.ts'
import { withRoom } from './api/calls/with-room.ts'
import type { Infraction } from './api/efi/infractions.ts'
import type { Failure, Outcome } from './api/outcome.ts'
import { type CallbackHint, parseCallback } from './api/parse-callback.ts'
import type { PixApi } from './api/pix-api.ts'
import type { ReceivedPix } from './api/received-pix.ts'
import { isClaim, newsOfInfraction, newsOfReceived } from './pix.news.ts'
import { lookupFailure } from './pix.outcomes.ts'
import { payoutStateOf } from './pix.payouts.ts'

type Dependencies = { api: PixApi; secret: string; clock: Clock }

/** How the secret is named in the address that the PSP is given. */
export const SECRET_PARAMETER = 'hmac'
/** How far back infractions are looked for: they are opened within 80 days of the Pix and decided within eleven more. */
export const INFRACTION_DAYS = 95
const DAY_MS = 86_400_000
const CONCURRENCY = 5

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The PSP did not tell. Ends the reading of a callback, which is then read again later. */
class NotTold extends Error {
  override readonly name = 'NotTold'
  readonly reason: string
  constructor(failure: Failure) {
    const told = lookupFailure(failure)
    const reason = told.outcome === 'unknown' ? told.reason : told.outcome
    super(reason)
    this.reason = reason
  }
}

/** The value that was told; undefined where the PSP knows no such thing. Throws NotTold. */
const told = <Value>(result: Outcome<Value>): Value | undefined => {
  if (result.kind === 'ok') return result.value
  if (result.kind === 'missing') return undefined
  throw new NotTold(result)
}

/** What there is to be asked, each once: Pix by end-to-end id or by the charge, payouts, infractions. */
const questionsOf = (hints: readonly CallbackHint[]) => {
  const each = (nameOf: (hint: CallbackHint) => string | null): string[] => [
    ...new Set(hints.flatMap((hint) => nameOf(hint) ?? [])),
  ]
  const ofMoney = hints.filter(({ kind }) => kind === 'received' || kind === 'refund')
  return {
    pix: [...new Set(ofMoney.flatMap(({ endToEndId }) => endToEndId ?? []))],
    charges: each((hint) => (hint.kind === 'received' && hint.endToEndId === null ? hint.txid : null)),
    payouts: each((hint) => (hint.kind === 'payout' ? (hint.payoutId ?? `e2e:${hint.endToEndId}`) : null)),
    asksInfractions: hints.some(({ kind }) => kind === 'infraction'),
  }
}

const inTurns = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(work))))
  }
  return results
}

/** Reads from the PSP what is true about what callbacks name. */
export const createPixReader = ({ api, clock }: Omit<Dependencies, 'secret'>) => {
  const infractionsSince = async (from: Date): Promise<Infraction[]> => {
    const found: Infraction[] = []
    const period = { from, to: clock.now() }
    for await (const page of api.infractions?.all(period, { isBackground: true }) ?? []) {
      found.push(...(told(page)?.items ?? []))
    }
    return found
  }

  /** A Pix with what went back of it. A claim by an infraction is known by that. Throws NotTold. */
  const newsOf = async (pix: ReceivedPix): Promise<Notification[]> =>
    newsOfReceived(pix, pix.refunds.some(isClaim) && api.infractions ? await infractionsSince(pix.receivedAt) : [])

  const newsOfPix = async (endToEndId: string): Promise<Notification[]> => {
    const pix = told(await api.receivedPix.get(endToEndId))
    return pix === undefined ? [] : newsOf(pix)
  }

  const newsOfCharge = async (txid: string): Promise<Notification[]> => {
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return []
    const charge = told(await api.charges.get(txid)) ?? told(await api.dueCharges.get(txid))
    return (await inTurns(charge?.received ?? [], newsOf)).flat()
  }

  const newsOfPayout = async (asked: string): Promise<Notification[]> => {
    const { payouts } = api
    if (payouts === undefined) return []
    const byPix = asked.startsWith('e2e:')
    if (!byPix && !/^[a-zA-Z0-9]{1,35}$/.test(asked)) return []
    const sent = told(await (byPix ? payouts.getByEndToEndId(asked.slice('e2e:'.length)) : payouts.get(asked)))
    return sent === undefined || sent.id === null
      ? []
      : [{ kind: 'payout', reference: sent.id, state: payoutStateOf(sent) }]
  }

  /** Claims of the last months, each with the charge of its Pix. Throws NotTold. */
  const newsOfInfractions = async (): Promise<Notification[]> => {
    const recent = await infractionsSince(new Date(clock.now().getTime() - INFRACTION_DAYS * DAY_MS))
    const news = await inTurns(recent, async (infraction) => {
      const read = () => api.receivedPix.get(infraction.endToEndId, { isBackground: true })
      const pix = told(await withRoom(read))
      return pix?.txid ? newsOfInfraction(infraction, pix.txid) : []
    })
    return news.flat()
  }

  const readHints = async (hints: readonly CallbackHint[]): Promise<Notification[]> => {
    const { pix, charges, payouts, asksInfractions } = questionsOf(hints)
    return [
      ...(await inTurns(pix, newsOfPix)).flat(),
      ...(await inTurns(charges, newsOfCharge)).flat(),
      ...(await inTurns(payouts, newsOfPayout)).flat(),
      ...(asksInfractions ? await newsOfInfractions() : []),
    ]
  }

  return { newsOf, newsOfInfractions, readHints }
}

export type PixReader = ReturnType<typeof createPixReader>

/** What became of a reading: its news, or why nobody knows them yet. */
export const reading = async (news: Promise<Notification[]>): Promise<CallbackReading> => {
  try {
    return { outcome: 'read', notifications: await news }
  } catch (error) {
    if (error instanceof NotTold) return { outcome: 'unknown', reason: error.reason }
    throw error
  }
}

/**
 * Callbacks of a PSP. Nothing signs one: the secret of its address keeps strangers away, and nothing in its body is believed
 * but what to ask the PSP about.
 */
export const createPixCallbacks = (reader: PixReader, secret: string): CallbackCapability => ({
  authenticate({ query }) {
    const given = query[SECRET_PARAMETER]
    // Banks append `/pix` to the whole text of an address, whatever stands last in it.
    const text = typeof given === 'string' ? given.replace(/\/pix$/, '') : ''
    return timingSafeEqual(digest(text), digest(secret))
  },

  read(body) {
    const parsed = parseCallback(body)
    if (parsed.kind === 'unreadable') {
      throw new UnreadableCallbackError(`the body is not a callback of a Pix PSP: ${parsed.reason}`)
    }
    return reading(reader.readHints(parsed.hints))
  },
})
