import { isDeepStrictEqual } from 'node:util'
import { saoPauloDate } from '../../../src/domain/calendar.ts'
import type { Bank } from '../bank.ts'
import type { Merchant } from '../certificates/folder.ts'
import { invalid, type Problem, violation } from '../http/problems.ts'
import type { ChargeBody, ChargeChange } from './charge-schemas.ts'
import { type Charge, type ChargeStatus, findCharge, getCharge } from './charges.ts'
import { assignLocation, type ChargeKind, createLocation, findLocation, type Location } from './locations.ts'

const refusal = (kind: ChargeKind, property: string, razao: string, status = 400): Problem =>
  invalid(
    kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida',
    [violation(`${kind}.${property}`, razao)],
    status,
  )

/** Throws where a charge breaks a rule that no schema can say. */
const judge = ({ kind, content, createdAt }: Charge, { keys }: Merchant): void => {
  if (!keys.includes(content.chave)) {
    throw refusal(kind, 'chave', 'A chave corresponde a uma conta que não pertence a este usuário recebedor.')
  }
  if (kind === 'cob') return
  const { dataDeVencimento } = content.calendario
  if (dataDeVencimento < saoPauloDate(new Date(createdAt))) {
    throw refusal(kind, 'calendario.dataDeVencimento', 'A data de vencimento é anterior à criação da cobrança.')
  }
  const { desconto } = content.valor
  const dates = desconto && 'descontoDataFixa' in desconto ? desconto.descontoDataFixa.map(({ data }) => data) : []
  if (dates.some((date) => date > dataDeVencimento)) {
    throw refusal(kind, 'valor.desconto', 'O desconto tem data posterior à data de vencimento.')
  }
}

/** A location for a charge: the one asked for, or a new one. */
const takeLocation = (bank: Bank, merchantId: string, kind: ChargeKind, txid: string, id?: number): Location => {
  if (id === undefined) return createLocation(bank, merchantId, kind, txid)
  const location = findLocation(bank, id)
  if (location?.merchant_id !== merchantId) {
    throw refusal(kind, 'loc.id', 'O location referenciado por loc.id inexiste.')
  }
  if (location.kind !== kind) throw refusal(kind, 'loc.id', `O location apresenta o tipo ${location.kind}.`)
  if (location.txid !== null && location.txid !== txid) {
    throw refusal(kind, 'loc.id', 'O location referenciado por loc.id já está sendo utilizado por outra cobrança.')
  }
  assignLocation(bank, id, txid)
  return { ...location, txid }
}

/** What becomes of a request under a txid that is taken: the same one again is no error, unless tests say so. */
const repeat = (bank: Bank, known: Charge, kind: ChargeKind, body: ChargeBody): Charge => {
  const isSame = known.kind === kind && isDeepStrictEqual(known.requested, JSON.parse(JSON.stringify(body)))
  if (isSame && bank.settings.get().repeatedCharge === 'same') return known
  const razao = 'O txid informado já foi utilizado em outra cobrança.'
  throw refusal(kind, 'txid', razao, bank.profile.takenStatus)
}

const insert = (bank: Bank, merchant: Merchant, kind: ChargeKind, txid: string, body: ChargeBody): Charge => {
  const { loc, ...content } = body
  const charge = {
    ...{ merchantId: merchant.id, txid, kind, status: 'ATIVA', revision: 0, location: undefined },
    ...{ createdAt: bank.clock.now(), requested: body, content },
  } as Charge
  judge(charge, merchant)
  const location = takeLocation(bank, merchant.id, kind, txid, loc?.id)
  bank.store.run(
    "INSERT INTO charges (merchant_id, txid, kind, status, location_id, created_at, requested, content) VALUES (?, ?, ?, 'ATIVA', ?, ?, ?, ?)",
    ...[merchant.id, txid, kind, location.id, charge.createdAt],
    ...[JSON.stringify(body), JSON.stringify(content)],
  )
  return { ...charge, location }
}

/** Makes a charge, or answers the one that the same request made before. */
export const createCharge = (bank: Bank, merchant: Merchant, kind: ChargeKind, txid: string, body: ChargeBody) =>
  bank.store.transaction(() => {
    const known = findCharge(bank, merchant.id, txid)
    return known === undefined ? insert(bank, merchant, kind, txid, body) : repeat(bank, known, kind, body)
  })

const write = ({ store }: Bank, { merchantId, txid, revision, status, content, location }: Charge): void =>
  void store.run(
    'UPDATE charges SET revision = ?, status = ?, content = ?, location_id = ? WHERE merchant_id = ? AND txid = ?',
    ...[revision, status, JSON.stringify(content), location?.id ?? null, merchantId, txid],
  )

const keepRevision = ({ store }: Bank, { merchantId, txid, revision, status, content }: Charge): void =>
  void store.run(
    'INSERT INTO charge_revisions (merchant_id, txid, revision, status, content) VALUES (?, ?, ?, ?, ?)',
    ...[merchantId, txid, revision, status, JSON.stringify(content)],
  )

const remove = (bank: Bank, charge: Charge, status: ChargeStatus): Charge => {
  keepRevision(bank, charge)
  const removed = { ...charge, status, revision: charge.revision + 1 }
  write(bank, removed)
  return removed
}

const moveTo = (bank: Bank, charge: Charge, id: number): Charge => {
  const location = takeLocation(bank, charge.merchantId, charge.kind, charge.txid, id)
  if (charge.location && charge.location.id !== id) assignLocation(bank, charge.location.id, null)
  return { ...charge, location }
}

const merged = (content: Charge['content'], { status: _, loc: __, ...fields }: ChargeChange): Charge['content'] =>
  ({
    ...content,
    ...fields,
    calendario: { ...content.calendario, ...fields.calendario },
    valor: { ...content.valor, ...fields.valor },
  }) as Charge['content']

const change = (bank: Bank, merchant: Merchant, charge: Charge, asked: ChargeChange): Charge => {
  const { loc, ...fields } = asked
  const moved = loc === undefined ? charge : moveTo(bank, charge, loc.id)
  // A new location alone is no revision of the charge.
  const isRevised = Object.keys(fields).length > 0
  const revision = charge.revision + (isRevised ? 1 : 0)
  const revised = { ...moved, revision, content: merged(charge.content, asked) } as Charge
  judge(revised, merchant)
  if (isRevised) keepRevision(bank, charge)
  write(bank, revised)
  return revised
}

/** Revises a charge or removes it. Only what is still to be paid can be: a payer who was faster wins. */
export const reviseCharge = (bank: Bank, merchant: Merchant, kind: ChargeKind, txid: string, asked: ChargeChange) =>
  bank.store.transaction(() => {
    const charge = getCharge(bank, merchant.id, kind, txid)
    if (charge.status !== 'ATIVA') {
      throw refusal(kind, 'status', `A cobrança não está ATIVA, e a presente requisição busca alterá-la.`)
    }
    const { status, ...rest } = asked
    if (status === undefined) return change(bank, merchant, charge, asked)
    if (Object.keys(rest).length > 0) {
      throw refusal(kind, 'status', 'A remoção não pode vir juntamente com outras alterações.')
    }
    return remove(bank, charge, status)
  })

/** Removes a charge from the PSP's side. */
export const removeByPsp = (bank: Bank, charge: Charge): Charge =>
  bank.store.transaction(() => remove(bank, charge, 'REMOVIDA_PELO_PSP'))

/** Marks a charge as paid where it was still to be paid. */
export const concludeCharge = ({ store }: Bank, { merchantId, txid }: Charge): void =>
  void store.run(
    "UPDATE charges SET status = 'CONCLUIDA' WHERE merchant_id = ? AND txid = ? AND status = 'ATIVA'",
    ...[merchantId, txid],
  )

/** Takes the charge away from a location, whatever its state. */
export const leaveLocation = (bank: Bank, { id }: Location): void =>
  bank.store.transaction(() => {
    bank.store.run('UPDATE charges SET location_id = NULL WHERE location_id = ?', id)
    assignLocation(bank, id, null)
  })
