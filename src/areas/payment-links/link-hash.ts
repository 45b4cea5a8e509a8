import { randomInt } from 'node:crypto'

// Letters and digits alone: messengers cut other characters off the end of a link.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const LINK_HASH_LENGTH = 22

/** The end of a link's URL: 131 random bits, which nobody guesses and no two links share. */
export const newLinkHash = (): string =>
  Array.from({ length: LINK_HASH_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
