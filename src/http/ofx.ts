import { Readable } from 'node:stream'
import { z } from 'zod'
import { absolute, type Centavos, toDecimal } from '../domain/money.ts'

/** The media type of bank statements that bookkeeping programs read. */
export const OFX_TYPE = 'application/x-ofx'

/** One line of a bank statement: signed, with the balance after it. */
export type OfxMovement = {
  /** Never given to another line: a program that reads a period twice knows it again. */
  id: string
  amount: Centavos
  balanceAfter: Centavos
  at: Date
  /** UUID of what it was for. */
  referenceId: string
  description: string
}

/** The movements of one account in a period, oldest first. */
export type OfxStatement = {
  /** UUID of the account. */
  accountId: string
  from: Date
  to: Date
  openingBalance: Centavos
  batches: AsyncIterable<readonly OfxMovement[]>
}

// OFX 1.0.2, 2.2: what follows is SGML in single bytes.
const HEADER = [
  'OFXHEADER:100',
  'DATA:OFXSGML',
  'VERSION:102',
  'SECURITY:NONE',
  'ENCODING:USASCII',
  'CHARSET:1252',
  'COMPRESSION:NONE',
  'OLDFILEUID:NONE',
  'NEWFILEUID:NONE',
  '',
]

/** The platform is no bank with a number of its own; the element is mandatory. */
const BANK_ID = '000'
const NAME_MAX = 32
const MEMO_MAX = 255
const ZONE_HOURS = -3
const LINE_END = '\r\n'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// Readers guess at character sets, so that accents go and nothing is left to guess.
const text = (value: string, max: number): string =>
  value
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, max)
    .trim()
    .replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)

const time = (at: Date): string => {
  const local = new Date(at.getTime() + ZONE_HOURS * 3_600_000).toISOString().replace(/[-:TZ]/g, '')
  return `${local}[${ZONE_HOURS}:BRT]`
}

const decimal = (amount: Centavos): string => `${amount < 0 ? '-' : ''}${toDecimal(absolute(amount))}`

/** A UUID in the 22 characters that the number of an account may have. */
const accountNumber = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

const element = (name: string, value: string): string => `<${name}>${value}</${name}>`

const STATUS = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>'

const headOf = ({ accountId, from, to }: OfxStatement): string =>
  [
    ...HEADER,
    '<OFX>',
    `<SIGNONMSGSRSV1><SONRS>${STATUS}${element('DTSERVER', time(to))}<LANGUAGE>POR</LANGUAGE></SONRS></SIGNONMSGSRSV1>`,
    `<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${STATUS}<STMTRS><CURDEF>BRL</CURDEF>`,
    `<BANKACCTFROM>${element('BANKID', BANK_ID)}${element('ACCTID', accountNumber(accountId))}<ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
    `<BANKTRANLIST>${element('DTSTART', time(from))}${element('DTEND', time(to))}`,
    '',
  ].join(LINE_END)

const lineOf = ({ id, amount, at, referenceId, description }: OfxMovement): string =>
  [
    '<STMTTRN>',
    element('TRNTYPE', amount < 0 ? 'DEBIT' : 'CREDIT'),
    element('DTPOSTED', time(at)),
    element('TRNAMT', decimal(amount)),
    element('FITID', id),
    element('REFNUM', referenceId.replaceAll('-', '')),
    element('NAME', text(description, NAME_MAX)),
    element('MEMO', text(description, MEMO_MAX)),
    '</STMTTRN>',
    LINE_END,
  ].join('')

const footOf = (balance: Centavos, to: Date): string =>
  [
    '</BANKTRANLIST>',
    `<LEDGERBAL>${element('BALAMT', decimal(balance))}${element('DTASOF', time(to))}</LEDGERBAL>`,
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1>',
    '</OFX>',
    '',
  ].join(LINE_END)

async function* chunksOf(statement: OfxStatement): AsyncGenerator<string> {
  let balance = statement.openingBalance
  yield headOf(statement)
  for await (const movements of statement.batches) {
    yield movements.map(lineOf).join('')
    balance = movements.at(-1)?.balanceAfter ?? balance
  }
  yield footOf(balance, statement.to)
}

/** A bank statement in OFX 1.0.2, made batch by batch as fast as the reader takes it. Its times are those of UTC-3. */
export const ofxStream = (statement: OfxStatement): Readable => Readable.from(chunksOf(statement))

/** The answer of a list that is also served as a bank statement. */
export const ofxContent = {
  [OFX_TYPE]: { schema: z.string().meta({ description: 'The available balance as a bank statement (OFX 1.0.2).' }) },
}
