import { isPhone, type PixKeyType, stripPhone } from './contact.ts'
import { isCnpj, isCpf, maskTaxId, stripTaxId } from './tax-id.ts'

/** `m***@example.com`: enough to recognise, too little to write to. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** `(11) *****-4321`: the area code and the last four digits of national digits. */
export const maskPhone = (digits: string): string => `(${digits.slice(0, 2)}) *****-${digits.slice(-4)}`

const pixKeyMasks: Readonly<Record<PixKeyType, (key: string) => string>> = {
  cpf: maskTaxId,
  cnpj: maskTaxId,
  email: maskEmail,
  phone: (key) => `+55 ${maskPhone(key.slice(3))}`,
  evp: (key) => `${key.slice(0, 8)}-****-****-****-************`,
}

/** A normalised Pix key, so that its owner recognises it and nobody else can use it. */
export const maskPixKey = (type: PixKeyType, key: string): string => pixKeyMasks[type](key)

const EMAILS = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g
// As people write them, masked or not, and not inside of a longer number or name.
const CPFS = /(?<![\w*])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\w)/g
const CNPJS = /(?<![\w*])[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2}(?!\w)/g
const PHONES = /(?<![\w*-])(?:\+55\s?)?\(?\d{2}\)?\s?\d{4,5}-?\d{4}(?!\w)/g

const masking = (
  isKind: (stripped: string) => boolean,
  strip: (text: string) => string,
  mask: (text: string) => string,
) => {
  return (found: string): string => (isKind(strip(found)) ? mask(strip(found)) : found)
}

/**
 * A text with the e-mail addresses, CPFs, CNPJs and Brazilian phones in it masked. Numbers count only with right check
 * digits or an existing area code, so that ids and amounts stay as they are.
 */
export const maskPersonalText = (text: string): string =>
  text
    .replace(EMAILS, maskEmail)
    .replace(CPFS, masking(isCpf, stripTaxId, maskTaxId))
    .replace(CNPJS, masking(isCnpj, stripTaxId, maskTaxId))
    .replace(PHONES, masking(isPhone, stripPhone, maskPhone))
