import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { passwordLists } from '../packages-on-demand.ts'

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 128

// OWASP Password Storage Cheat Sheet: argon2id (this library's default algorithm), 19 MiB, two passes, one lane.
const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// The argon2id hash of a thrown-away random text, with the parameters above: verifying against it takes as long.
const NOBODY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$V7xkCIkmjTSn9lJHHYpCiw$RI3fcKvIgheYmt/DlbxqiF9Vjux1gT+wI5WYjt+E140'

// The same text typed on two keyboards may differ in its code points (NIST SP 800-63B, 5.1.1.2).
const normalized = (password: string): string => password.normalize('NFKC')

/** The text to keep in place of a password. Slow on purpose: never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => hash(normalized(password), ARGON2)

/**
 * Whether a password is the one behind `passwordHash`. Without a hash it is not, after the same time, so that nobody
 * learns which accounts exist. Slow on purpose: never call it inside a transaction.
 */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? NOBODY_HASH, normalized(password))
  return matches && passwordHash !== undefined
}

const readCommonest = (): ReadonlySet<string> => {
  const { dictionary } = passwordLists()
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH_MIN))
}

let commonest: ReadonlySet<string> | undefined

/** Whether guessers try this password first: it is in the list of leaked ones, whatever its letters' case. */
export const isCommonPassword = (password: string): boolean => {
  commonest ??= readCommonest()
  return commonest.has(normalized(password).toLowerCase())
}

/** Whether a password is the account's own address or the part before its @, which guessers try next. */
export const isOwnEmail = (password: string, email: string): boolean => {
  const text = normalized(password).trim().toLowerCase()
  return text === email || text === email.slice(0, email.lastIndexOf('@'))
}

/** A password that nobody chose: 144 random bits. */
export const randomPassword = (): string => randomBytes(18).toString('base64url')
