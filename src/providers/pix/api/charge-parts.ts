/** What immediate charges (`cob`) and charges with a due date (`cobv`) have in common. */
import { z } from 'zod'
import type { Call, CallOptions, Operation } from './calls/call.ts'
import { isSame, named, orNull } from './forms/answers.ts'
import { pathPart } from './forms/identifiers.ts'
import { instantSchema } from './forms/instants.ts'
import type { Outcome } from './outcome.ts'
import type { Profile } from './profiles.ts'
import { type Merchant, qrCodeOf } from './qr-code.ts'
import { receivedPixSchema } from './received-pix.ts'

/** There is no state for an expired charge: it stays `active`. */
const STATUSES = {
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'removed',
  REMOVIDA_PELO_PSP: 'removed_by_psp',
} as const

const location = orNull(z.string().max(500))

/** Fields of both kinds, as the API has them. */
export const CHARGE_FIELDS = {
  txid: z.string().min(1).max(35),
  revisao: orNull(z.coerce.number().int().min(0)),
  status: named(STATUSES),
  chave: orNull(z.string().max(77)),
  location,
  loc: orNull(z.object({ location })),
  pixCopiaECola: orNull(z.string().max(1_000)),
  pix: orNull(z.array(receivedPixSchema)),
} as const

export const criacao = orNull(instantSchema)

type Fields = { [Name in keyof typeof CHARGE_FIELDS]: z.output<(typeof CHARGE_FIELDS)[Name]> }

/** The same by our names. */
export const chargeOf = (
  { txid, revisao, status, chave, location, loc, pixCopiaECola, pix }: Fields,
  merchant: Merchant,
) => ({
  txid,
  revision: revisao ?? 0,
  status,
  key: chave,
  qrCode: qrCodeOf(pixCopiaECola, location ?? loc?.location ?? null, merchant),
  /** What was paid for it: more than one Pix at some PSPs. */
  received: pix ?? [],
})

/** A person or company, by CPF or CNPJ without its mask. */
export type Payer = { name: string; document: string }

export const payerBody = ({ name, document }: Payer): Record<string, string> =>
  document.length === 11 ? { cpf: document, nome: name } : { cnpj: document, nome: name }

/** What a payer is shown beside the amount. */
export type ChargeTexts = {
  /** Asked of the payer, up to 140 characters. */
  message?: string | undefined
  details?: readonly { name: string; value: string }[] | undefined
}

export const textsBody = ({ message, details }: ChargeTexts): Record<string, unknown> => ({
  ...(message === undefined ? {} : { solicitacaoPagador: message }),
  ...(details === undefined
    ? {}
    : { infoAdicionais: details.map(({ name, value }) => ({ nome: name, valor: value })) }),
})

type Verb = 'PUT' | 'GET' | 'PATCH'

/** How one charge of a kind is addressed. */
export const chargeOperation = <Value extends { txid: string }>(
  kind: 'cob' | 'cobv',
  { pathOf }: Profile,
  answer: z.ZodType<Value>,
) => {
  const capability = kind === 'cob' ? 'charges' : 'dueCharges'
  return (method: Verb, txid: string, body?: Record<string, unknown>): Operation<Value> => ({
    ...{ name: `${kind}.${method.toLowerCase()}`, capability, method, body },
    path: pathOf(`/${kind}/${pathPart('txid', txid)}`),
    // A PUT under a txid of ours is answered with the charge that it has made before. A revision counts up.
    isRepeatable: method !== 'PATCH',
    answer: answer.refine((charge) => isSame(txid, charge.txid), { path: ['txid'] }),
  })
}

const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } as const

type Parts<Value, Change> = {
  call: Call
  operation: (method: Verb, txid: string, body?: Record<string, unknown>) => Operation<Value>
  bodyOf: (change: Change) => Record<string, unknown>
}

/** What can be done with charges of a kind: they are made of an `Input`, of which a `Change` may come later. */
export const chargeCalls = <Value, Change, Input extends Change & { key: string }>({
  call,
  operation,
  bodyOf,
}: Parts<Value, Change>) => ({
  /**
   * Makes a charge under a txid of ours. The same again answers the same charge, or a `conflict` at some PSPs: `get`
   * then tells what is there.
   */
  put: (txid: string, input: Input, options?: CallOptions): Promise<Outcome<Value>> =>
    call(operation('PUT', txid, { ...bodyOf(input), chave: input.key }), options),

  get: (txid: string, options?: CallOptions): Promise<Outcome<Value>> => call(operation('GET', txid), options),

  /** Changes an active charge. */
  review: (txid: string, change: Change, options?: CallOptions): Promise<Outcome<Value>> =>
    call(operation('PATCH', txid, bodyOf(change)), options),

  /** Ends an active charge. A payer may have been faster: then it is a `conflict`, and the charge is paid. */
  remove: (txid: string, options?: CallOptions): Promise<Outcome<Value>> =>
    call(operation('PATCH', txid, { ...REMOVED }), options),
})
