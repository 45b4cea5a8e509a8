/**
 * What a callback of a PSP is about. Nothing signs a callback, and anybody can send one, so that its body is a hint at
 * what to read from the API, never a fact: identifiers alone are taken from it, no state, amount or time.
 *
 * Read are the standard's `{"pix": [...]}`, the same without its envelope, one Pix alone, and what Efí adds: payouts
 * (`tipo`, or an `idEnvio` in `gnExtras`) and infractions.
 */
import { z } from 'zod'

/** Something at the PSP that may have changed. */
export type CallbackHint =
  | { kind: 'received'; endToEndId: string | null; txid: string | null }
  /** A refund of a received Pix. The PSP's own (MED) have no id of ours. */
  | { kind: 'refund'; endToEndId: string; refundId: string | null; returnId: string | null }
  | { kind: 'payout'; payoutId: string | null; endToEndId: string | null }
  | { kind: 'infraction'; infractionId: string; endToEndId: string | null }

export type ParsedCallback =
  /** `ignoredCount` entries had nothing that could be asked for. Efí's try of an address has no entry at all. */
  | { kind: 'hints'; hints: readonly CallbackHint[]; ignoredCount: number }
  | { kind: 'unreadable'; reason: 'too_large' | 'too_many' | 'not_json' | 'not_a_callback' }

/** A PSP tells some Pix in one body. This has room for a thousand of them. */
const BODY_CHARACTERS_MAX = 1_048_576
const ENTRIES_MAX = 1_000
const REFUNDS_MAX = 100

const identifier = (form: RegExp) =>
  z
    .string()
    .regex(form)
    .nullish()
    .catch(null)
    .transform((id) => id ?? null)

const endToEndId = identifier(/^[a-zA-Z0-9]{1,64}$/)
const id = identifier(/^[a-zA-Z0-9-]{1,64}$/)

const refundEntry = z.object({ id, rtrId: id })

const entrySchema = z.object({
  endToEndId,
  txid: identifier(/^[a-zA-Z0-9]{1,35}$/),
  tipo: z.unknown().optional(),
  idEnvio: id,
  idInfracao: id,
  gnExtras: z.object({ idEnvio: id }).nullish().catch(null),
  devolucoes: z.array(z.unknown()).nullish().catch(null),
})

type Entry = z.infer<typeof entrySchema>

const envelope = z.looseObject({
  pix: z.array(z.unknown()).optional(),
  infracoes: z.array(z.unknown()).optional(),
  infracao: z.unknown().optional(),
  // What Efí sends to try an address before it registers it.
  evento: z.unknown().optional(),
})

const refundHints = ({ endToEndId: pixId, devolucoes }: Entry): CallbackHint[] =>
  (devolucoes ?? []).slice(0, REFUNDS_MAX).flatMap((refund): CallbackHint[] => {
    const parsed = refundEntry.safeParse(refund)
    if (!parsed.success || pixId === null) return []
    return [{ kind: 'refund', endToEndId: pixId, refundId: parsed.data.id, returnId: parsed.data.rtrId }]
  })

const isPayout = ({ tipo, idEnvio, gnExtras }: Entry): boolean =>
  tipo === 'SOLICITACAO' || idEnvio !== null || (gnExtras?.idEnvio ?? null) !== null

const hintsOf = (entry: Entry): CallbackHint[] => {
  const { endToEndId: pixId, txid, idInfracao } = entry
  if (idInfracao !== null) return [{ kind: 'infraction', infractionId: idInfracao, endToEndId: pixId }]
  if (isPayout(entry)) {
    const payoutId = entry.gnExtras?.idEnvio ?? entry.idEnvio
    return payoutId === null && pixId === null ? [] : [{ kind: 'payout', payoutId, endToEndId: pixId }]
  }
  if (pixId === null && txid === null) return []
  return [{ kind: 'received', endToEndId: pixId, txid }, ...refundHints(entry)]
}

/** The entries of a body; undefined where it has none of the known forms. */
const entriesOf = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return undefined
  const { pix, infracoes, infracao, evento } = parsed.data
  const wrapped = [...(pix ?? []), ...(infracoes ?? []), ...(infracao === undefined ? [] : [infracao])]
  if (wrapped.length > 0 || pix !== undefined || infracoes !== undefined || evento !== undefined) return wrapped
  return 'endToEndId' in parsed.data || 'txid' in parsed.data || 'idInfracao' in parsed.data ? [body] : undefined
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a callback's body. Bounded in time and size, and never throws. */
export const parseCallback = (body: string): ParsedCallback => {
  if (body.length > BODY_CHARACTERS_MAX) return { kind: 'unreadable', reason: 'too_large' }
  const json = parseJson(body)
  if (json === undefined) return { kind: 'unreadable', reason: 'not_json' }
  const entries = entriesOf(json)
  if (entries === undefined) return { kind: 'unreadable', reason: 'not_a_callback' }
  if (entries.length > ENTRIES_MAX) return { kind: 'unreadable', reason: 'too_many' }
  const perEntry = entries.map((entry) => {
    const parsed = entrySchema.safeParse(entry)
    return parsed.success ? hintsOf(parsed.data) : []
  })
  return {
    kind: 'hints',
    hints: perEntry.flat(),
    ignoredCount: perEntry.filter((hints) => hints.length === 0).length,
  }
}
