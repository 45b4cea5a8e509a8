/** The languages that the platform speaks. */
export type Language = 'pt' | 'en'
