import type { PixKeyType } from './contact.ts'
import { maskTaxId } from './tax-id.ts'

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
