import { randomInt, randomUUID } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

const randomText = (length: number): string => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

// Both kinds of id hold a participant's ISPB and the minute, in UTC.
const stamped = (letter: 'D' | 'E', ispb: string, atMs: number): string =>
  `${letter}${ispb}${new Date(atMs).toISOString().replace(/\D/g, '').slice(0, 12)}${randomText(11)}`

/** The end-to-end id of a Pix: `ispb` is the payer's PSP. */
export const newEndToEndId = (ispb: string, atMs: number): string => stamped('E', ispb, atMs)

/** The id of a return: `ispb` is the PSP that sends the money back. */
export const newReturnId = (ispb: string, atMs: number): string => stamped('D', ispb, atMs)

/** 32 hexadecimal digits: a txid that the PSP chooses, and what makes a location unguessable. */
export const newHexId = (): string => randomUUID().replaceAll('-', '')
