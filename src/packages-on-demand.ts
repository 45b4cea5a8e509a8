import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

// What a process may never need, some ten megabytes in all. Node reads each from the disk the first time only.

/** The client of what the platform calls. */
export const undici = (): typeof import('undici') => load('undici')

/** What finds words, years, rows of keys and the like in a password. */
export const passwordMatching = (): typeof import('@zxcvbn-ts/core') => load('@zxcvbn-ts/core')

/** The lists of passwords that guessers try. */
export const passwordLists = (): typeof import('@zxcvbn-ts/language-common') => load('@zxcvbn-ts/language-common')

export const qrcode = (): typeof import('qrcode') => load('qrcode')

/** What writes a PDF. */
export const pdfkit = (): typeof import('pdfkit') => load('pdfkit')
