import { pipeline, type Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { LocalDate } from '../../domain/calendar.ts'
import { AMOUNT_MAX, add, type Centavos, fromDecimal, negate, ZERO } from '../../domain/money.ts'
import type { StatementLine } from '../../providers/provider.port.ts'
import { type FileLine, faultOf, type OpenFile } from './statement-file.ts'

/** The texts of payers are among the fields, in base64. */
const RECORD_BYTES_MAX = 65_536
/** A hundred megabytes of them. Of what comes after that, the fee is not known. */
const FEES_MAX = 1_000_000

type Record = { number: number; fields: readonly string[] }
type Reading = { endToEndId: string; txid?: string; id?: string; returnId?: string; amount: Centavos; happenedAt: Date }

/** Where each kind of record has what (layout of July 2023): kind and number come first, the moment last. */
const PLACES = {
  PR: { endToEndId: 2, txid: 3, amount: 4 },
  PEC: { endToEndId: 2, id: 3, amount: 4 },
  PEB: { endToEndId: 2, id: 3, amount: 4 },
  PDE: { endToEndId: 2, txid: 3, id: 4, returnId: 5, amount: 6 },
} as const
type Kind = keyof typeof PLACES
type Places = { amount: number; [name: string]: number }
/** Of the header: the day whose movements the file has. */
const DATE_PLACE = 7

/** Fees of what came in and was sent, and those that were given back. */
const FEE_SIGNS: Readonly<{ [kind: string]: 1 | -1 }> = { TPR: 1, TPE: 1, ETPR: -1, ETPE: -1 }
/** A payout that was undone. */
const REVERSAL = 'EPE'
const BALANCES: readonly string[] = ['SD0', 'SD1']
/** Beside header, balances and trailer what the provider's own list does not tell either: parts of payouts that came back, transfers. */
const PASSED_OVER: readonly string[] = ['CA', ...BALANCES, 'T', 'PDR', 'TFR', 'TFE', 'TTFE', 'ETFE', 'ETTFE']

const NAME = /^[\x21-\x7e]{1,100}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const amountOf = (text = ''): Centavos | undefined => {
  if (!/^\d{1,11}\.\d{2}$/.test(text)) return undefined
  const amount = fromDecimal(text)
  return amount > 0 && amount <= AMOUNT_MAX ? amount : undefined
}

/** The records of a file, one at a time. Throws a CsvError on one that is too long. */
const recordsOf = async function* (file: Readable): AsyncGenerator<Record> {
  const parser = parse({
    ...{ delimiter: ';', quote: false, bom: true, info: true, skipEmptyLines: true, relaxColumnCount: true },
    maxRecordSize: RECORD_BYTES_MAX,
  })
  // What breaks the file reaches the loop below through the parser.
  pipeline(file, parser, () => undefined)
  for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>) {
    yield { number: info.lines, fields: record }
  }
}

type Beside = { fees: ReadonlyMap<string, Centavos>; reversed: ReadonlySet<string> }

/** What records say about others, which stand before them or behind: fees and reversals, by end-to-end id. */
const readBeside = async (file: Readable): Promise<Beside> => {
  const fees = new Map<string, Centavos>()
  const reversed = new Set<string>()
  for await (const { fields } of recordsOf(file)) {
    const [kind = '', , endToEndId = '', text] = fields
    const sign = FEE_SIGNS[kind]
    const amount = amountOf(text)
    if (kind === REVERSAL && reversed.size < FEES_MAX) reversed.add(endToEndId)
    if (sign === undefined || amount === undefined || fees.size >= FEES_MAX) continue
    fees.set(endToEndId, add(fees.get(endToEndId) ?? ZERO, sign === 1 ? amount : negate(amount)))
  }
  return { fees, reversed }
}

const read = (kind: Kind, fields: readonly string[]): Reading | string => {
  const { amount: place, ...names }: Places = PLACES[kind]
  const amount = amountOf(fields[place])
  if (amount === undefined) return `has no amount as 37.00 in field ${place + 1}`
  const moment = fields.at(-1) ?? ''
  if (!MOMENT.test(moment)) return 'has no moment as 2026-11-20T16:05:12Z in its last field'
  const texts = Object.entries(names).map(([name, index]) => [name, fields[index] ?? ''] as const)
  const isWrong = texts.some(([name, text]) => (text === '' ? name === 'endToEndId' : !NAME.test(text)))
  if (isWrong) return 'has other names of its money than 1 to 100 visible ASCII characters'
  return { endToEndId: '', ...Object.fromEntries(texts), amount, happenedAt: new Date(moment) }
}

const lineOf = (kind: Kind, reading: Reading, { fees }: Beside): StatementLine => {
  const { endToEndId, txid, id, returnId, amount, happenedAt } = reading
  const feeAmount = fees.get(endToEndId) ?? null
  if (kind === 'PR') return { kind: 'charge', reference: txid || endToEndId, endToEndId, amount, feeAmount, happenedAt }
  if (kind !== 'PDE') return { kind: 'payout', reference: id || endToEndId, endToEndId, amount, feeAmount, happenedAt }
  const sent = { endToEndId: returnId || null, amount, feeAmount: null, happenedAt }
  // What the provider sent back by itself has no id of ours: a claim that was lost.
  if (id && id !== returnId) return { kind: 'refund', reference: id, ...sent }
  return { kind: 'dispute', reference: returnId || endToEndId, ...sent }
}

const isKind = (text: string): text is Kind => Object.hasOwn(PLACES, text)
const isKnown = (kind: string): boolean =>
  kind === REVERSAL || Object.hasOwn(FEE_SIGNS, kind) || PASSED_OVER.includes(kind)

const fault = (line: number, message: string): FileLine => ({ fault: { line, message } })

/** A record as a line, or what is wrong with it; nothing for what is told beside others. */
const readRecord = ({ number, fields }: Record, beside: Beside): FileLine[] => {
  const [kind = ''] = fields
  if (!isKind(kind)) return isKnown(kind) ? [] : [fault(number, `is of no known kind: ${kind.slice(0, 10)}`)]
  const reading = read(kind, fields)
  if (typeof reading === 'string') return [fault(number, reading)]
  const isUndone = kind.startsWith('PE') && beside.reversed.has(reading.endToEndId)
  return isUndone ? [] : [{ number, line: lineOf(kind, reading, beside) }]
}

/** What stood before a record. The header is the first, the trailer the last. */
type Seen = { hasHeader: boolean; records: number; balances: number; trailer: Record | undefined }

const orderFault = ({ fields }: Record, { hasHeader, trailer }: Seen, date: LocalDate): string | undefined => {
  if (trailer !== undefined) return 'stands behind the trailer (T)'
  if (hasHeader) return undefined
  if (fields[0] !== 'CA') return 'is not the header (CA) of a reconciliation statement of Efí'
  return fields[DATE_PLACE] === date ? undefined : `says that the file is of ${fields[DATE_PLACE]}`
}

const note = (seen: Seen, record: Record): void => {
  const [kind = ''] = record.fields
  if (!seen.hasHeader) seen.hasHeader = true
  else if (kind === 'T') seen.trailer = record
  else seen[BALANCES.includes(kind) ? 'balances' : 'records'] += 1
}

// A file that was cut off has no trailer, or one that counts more. Balances are counted with the records or not.
const endFaults = ({ records, balances, trailer }: Seen): FileLine[] => {
  if (trailer === undefined)
    return [fault(records + balances + 2, 'is not there: the file ends without its trailer (T)')]
  const isWhole = [records, records + balances].includes(Number(trailer.fields[1]))
  return isWhole ? [] : [fault(trailer.number, `counts other records than the ${records} before it`)]
}

const readBody = async function* (file: Readable, date: LocalDate, beside: Beside): AsyncGenerator<FileLine> {
  const seen: Seen = { hasHeader: false, records: 0, balances: 0, trailer: undefined }
  for await (const record of recordsOf(file)) {
    const message = orderFault(record, seen, date)
    if (message !== undefined) return yield fault(record.number, message)
    note(seen, record)
    yield* readRecord(record, beside)
  }
  yield* endFaults(seen)
}

/**
 * Reads Efí's reconciliation statement of a day (`POST /v2/gn/relatorios/extrato-conciliacao`), as it was downloaded: twice, because
 * fees and reversals are records of their own. No more than those are in memory. What is wrong with a record is said instead of it.
 */
export const readEfiStatementFile = async function* (open: OpenFile, date: LocalDate): AsyncGenerator<FileLine> {
  try {
    yield* readBody(await open(), date, await readBeside(await open()))
  } catch (error) {
    yield faultOf(error)
  }
}
