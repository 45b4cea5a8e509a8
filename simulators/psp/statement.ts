import { addDays, type LocalDate, saoPauloDate, startOfSaoPauloDay } from '../../src/domain/calendar.ts'
import { absolute, centavos, toDecimal } from '../../src/domain/money.ts'
import { balanceBefore, type Movement, type MovementKind, movementsBetween } from './accounts.ts'
import { type Bank, findMerchant } from './bank.ts'
import { isoOf } from './clock.ts'
import { type Destination, findPayout } from './efi/payouts.ts'
import { findCharge } from './standard/charges.ts'
import { findPix } from './standard/received-pix.ts'

/** The flags of Efí's request for a statement, and the records that each asks for. */
export const RECORD_FLAGS = {
  pixRecebido: 'PR',
  pixEnviadoChave: 'PEC',
  pixEnviadoDadosBancarios: 'PEB',
  estornoPixEnviado: 'EPE',
  pixDevolucaoEnviada: 'PDE',
  pixDevolucaoRecebida: 'PDR',
  tarifaPixEnviado: 'TPE',
  tarifaPixRecebido: 'TPR',
  estornoTarifaPixEnviado: 'ETPE',
  estornoTarifaPixRecebido: 'ETPR',
  saldoDiaAnterior: 'SD0',
  saldoDia: 'SD1',
  transferenciaEnviada: 'TFE',
  transferenciaRecebida: 'TFR',
  estornoTransferenciaEnviada: 'ETFE',
  tarifaTransferenciaEnviada: 'TTFE',
  estornoTarifaTransferenciaEnviada: 'ETTFE',
} as const

// What the trailer counts, in its order.
const COUNTED: readonly (readonly string[])[] = [
  ['PR'],
  ['PEC', 'PEB'],
  ['PDE', 'PDR'],
  ['EPE'],
  ['TPR', 'TPE'],
  ['ETPR', 'ETPE'],
  ['TFR'],
  ['TFE'],
  ['TTFE'],
  ['ETFE'],
  ['ETTFE'],
]

/** One day of an account. */
export type DayStatement = { openingBalance: number; closingBalance: number; movements: Movement[] }

/** What happened on a day of São Paulo. */
export const dayStatement = (bank: Bank, merchantId: string, date: LocalDate): DayStatement => {
  const from = startOfSaoPauloDay(date).getTime()
  const to = startOfSaoPauloDay(addDays(date, 1)).getTime()
  return {
    openingBalance: balanceBefore(bank, merchantId, from),
    closingBalance: balanceBefore(bank, merchantId, to),
    movements: movementsBetween(bank, merchantId, from, to),
  }
}

const base64 = (text: string | undefined): string => (text === undefined ? '' : Buffer.from(text).toString('base64'))

// Fields are joined by semicolons and never quoted.
const plain = (text: string): string => text.replaceAll(/[;\r\n]/g, ' ')

const receivedFields = (bank: Bank, { e2e_id, txid }: Movement, merchantId: string, amount: string): string[] => {
  const pix = findPix(bank, e2e_id ?? '')
  const details = txid === null ? undefined : findCharge(bank, merchantId, txid)?.content.infoAdicionais
  const info = details === undefined ? '' : base64(JSON.stringify(details))
  return [e2e_id ?? '', txid ?? '', amount, pix?.payer.document ?? '', base64(pix?.payer.info), info]
}

const accountFields = ({ contaBanco }: Destination): string[] => {
  if (contaBanco === undefined) return []
  const { nome, cpf, cnpj, codigoBanco, agencia, conta, tipoConta } = contaBanco
  return [plain(nome), cpf ?? cnpj ?? '', codigoBanco, agencia, conta, tipoConta]
}

const sentFields = (bank: Bank, { e2e_id, reference }: Movement, merchantId: string, amount: string): string[] => {
  const payout = findPayout(bank, merchantId, reference ?? '')
  const destination: Destination = payout === undefined ? {} : JSON.parse(payout.destination)
  const { chave } = destination
  const place = chave === undefined ? accountFields(destination) : [chave]
  return [e2e_id ?? '', reference ?? '', amount, ...place, base64(payout?.payer_info ?? undefined), 'API']
}

const recordOf = (bank: Bank, merchantId: string, movement: Movement): string => {
  const { id, kind, at, e2e_id, txid, rtr_id, reference } = movement
  const amount = toDecimal(absolute(centavos(movement.amount)))
  const fieldsByKind: Partial<Record<MovementKind, () => string[]>> = {
    PR: () => receivedFields(bank, movement, merchantId, amount),
    PEC: () => sentFields(bank, movement, merchantId, amount),
    PEB: () => sentFields(bank, movement, merchantId, amount),
    PDE: () => [e2e_id ?? '', txid ?? '', reference ?? '', rtr_id ?? '', amount],
    PDR: () => [e2e_id ?? '', rtr_id ?? '', amount],
  }
  const fields = fieldsByKind[kind]?.() ?? [e2e_id ?? '', amount]
  return [kind, String(id), ...fields, isoOf(at)].join(';')
}

const header = (bank: Bank, merchantId: string, date: LocalDate): string => {
  const today = saoPauloDate(new Date(bank.clock.now()))
  const name = plain(findMerchant(bank, merchantId)?.name ?? '')
  return ['CA', 'PSP simulado', '364', '1', '517613', name, today, date, 'Extrato de Conciliação API Pix', '1.0'].join(
    ';',
  )
}

const trailer = (records: readonly string[]): string => {
  const kinds = records.map((record) => record.slice(0, record.indexOf(';')))
  const counts = COUNTED.map((counted) => kinds.filter((kind) => counted.includes(kind)).length)
  return ['T', records.length, ...counts].join(';')
}

/**
 * A day as Efí's reconciliation statement (layout of July 2023) has it: one record a line, semicolons between fields.
 * `kinds` are the records that were asked for.
 */
export const statementCsv = (bank: Bank, merchantId: string, date: LocalDate, kinds: ReadonlySet<string>): string => {
  const { openingBalance, closingBalance, movements } = dayStatement(bank, merchantId, date)
  const records = movements
    .filter(({ kind }) => kinds.has(kind))
    .map((movement) => recordOf(bank, merchantId, movement))
  const balanceOf = (amount: number): string =>
    amount < 0 ? `-${toDecimal(centavos(-amount))}` : toDecimal(centavos(amount))
  return [
    header(bank, merchantId, date),
    ...(kinds.has('SD0') ? [`SD0;${balanceOf(openingBalance)};${addDays(date, -1)}`] : []),
    ...(kinds.has('SD1') ? [`SD1;${balanceOf(closingBalance)};${date}`] : []),
    ...records,
    trailer(records),
    '',
  ].join('\n')
}
