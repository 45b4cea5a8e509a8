/** Identifiers that become parts of an address. Each is checked, because some come from callbacks, which anybody can send. */

const FORMS = {
  /** Ours: 26 to 35 letters and digits, unique for the account. */
  txid: /^[a-zA-Z0-9]{26,35}$/,
  /** Of a Pix in the payment system. The standard's has 32 characters. */
  endToEndId: /^[a-zA-Z0-9]{1,64}$/,
  refundId: /^[a-zA-Z0-9]{1,35}$/,
  payoutId: /^[a-zA-Z0-9]{1,35}$/,
  infractionId: /^[a-zA-Z0-9-]{1,64}$/,
  reportId: /^[a-zA-Z0-9-]{1,64}$/,
  key: /^[\x21-\x7e]{1,77}$/,
} as const

export type IdentifierKind = keyof typeof FORMS

/** Whether a text can be an identifier of this kind. */
export const isIdentifier = (kind: IdentifierKind, text: string): boolean => FORMS[kind].test(text)

/** An identifier as a part of an address. Throws a RangeError on what cannot be one. */
export const pathPart = (kind: IdentifierKind, text: string): string => {
  if (!isIdentifier(kind, text)) throw new RangeError(`not a ${kind} of the Pix API`)
  return encodeURIComponent(text)
}
