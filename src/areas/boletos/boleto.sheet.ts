import { issuingBank } from '../../domain/bank.ts'
import { type HexColor, shadesOf } from '../../domain/brand-color.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { writtenPhone, writtenZipCode } from '../../domain/contact.ts'
import type { Language } from '../../domain/language.ts'
import { paymentCode } from '../../domain/payment-code.ts'
import { writtenTaxId } from '../../domain/tax-id.ts'
import type { Payee } from '../companies/companies.repository.ts'
import type { Payment } from '../payments/payments.repository.ts'
import { BOLETO_TEXTS } from './boleto.texts.ts'

/** Everything that a printed boleto says, as texts. */
export type BoletoSheet = {
  language: Language
  /** Null: it can still be paid. Else what is said in place of line and bars. */
  over: string | null
  /** Of rules and headings. Can be read on white. */
  accent: HexColor
  /** Said above everything, where no money moves. */
  warning: string | null
  payee: { name: string; legal: string | null; address: string | null; contact: string | null }
  payer: string
  bank: { name: string; code: string }
  code: string
  description: string
  issuedOn: string
  dueDate: string
  amount: string
  /** 47 digits in their groups. */
  line: string
  /** 44 digits. */
  barcode: string
}

const ACCENT = '#0a6b4f'
const LINE_GROUPS = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/
const MONEY = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

// Numbers of a boleto are read by machines and tellers in Brazil: they are written alike in every language.
const day = (date: string): string => date.split('-').reverse().join('/')

const joined = (parts: readonly (string | null)[], between: string): string =>
  parts.filter((part) => part !== null && part !== '').join(between)

const addressOf = (company: NonNullable<Payee['company']>): string => {
  const street = joined([company.addressStreet, company.addressNumber, company.addressComplement], ', ')
  const city = `${company.addressCity}/${company.addressState}`
  return joined([street, company.addressNeighborhood, city, `CEP ${writtenZipCode(company.addressZipCode)}`], ' · ')
}

const payeeOf = ({ name, company }: Payee): BoletoSheet['payee'] =>
  company === null
    ? { name, legal: null, address: null, contact: null }
    : {
        name,
        legal: `${company.companyName} · CNPJ ${writtenTaxId(company.cnpj)}`,
        address: addressOf(company),
        contact: joined([company.contactEmail, writtenPhone(company.contactPhone)], ' · '),
      }

const payerOf = ({ customer }: Payment): string => {
  if (customer === null) return ''
  const { name, document } = customer
  const kind = document?.length === 11 ? 'CPF' : 'CNPJ'
  return document === null ? name : `${name} · ${kind} ${writtenTaxId(document)}`
}

const PAID: readonly Payment['status'][] = ['paid', 'partially_refunded', 'refunded', 'in_dispute', 'charged_back']

/** What is printed of a boleto. Undefined: the payment has none, or not yet. */
export const boletoSheet = (
  payment: Payment,
  payee: Payee,
  { language, isTest, color }: { language: Language; isTest: boolean; color: HexColor | null },
): BoletoSheet | undefined => {
  const { boletoBarcode: barcode, boletoLine: line, boletoDueDate: dueDate, status } = payment
  if (barcode === null || line === null || dueDate === null) return undefined
  const texts = BOLETO_TEXTS[language]
  const ended = PAID.includes(status) ? texts.over.paid : texts.over.ended
  return {
    language,
    over: status === 'pending' ? null : ended,
    accent: color === null ? ACCENT : shadesOf(color, 'light').accent,
    warning: isTest ? texts.test : null,
    payee: payeeOf(payee),
    payer: payerOf(payment),
    bank: issuingBank(barcode),
    code: paymentCode(payment.id),
    description: payment.description ?? '',
    issuedOn: day(saoPauloDate(payment.createdAt)),
    dueDate: day(dueDate),
    amount: MONEY.format(payment.amount / 100),
    line: line.replace(LINE_GROUPS, '$1.$2 $3.$4 $5.$6 $7 $8'),
    barcode,
  }
}
