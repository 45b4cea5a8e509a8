/** The languages that payers are spoken to in. */
export type Language = 'pt' | 'en'
