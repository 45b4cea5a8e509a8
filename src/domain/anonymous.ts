/** The name of a person who asked to be forgotten, wherever a record of theirs has to stay. */
export const ANONYMOUS_NAME = 'Anonimizado'

/** What is left of a payer on a payment, and wherever the payment was told. */
export const ANONYMOUS_PAYER = { name: ANONYMOUS_NAME, document: null, email: null, phone: null } as const

/** What is left of a customer. The seller's reference and metadata go too: they could name the person again. */
export const ANONYMOUS_CUSTOMER = {
  name: ANONYMOUS_NAME,
  email: null,
  document: null,
  documentType: null,
  phone: null,
  address: null,
  externalReference: null,
  metadata: {},
} as const
