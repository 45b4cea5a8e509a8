import { randomBytes } from 'node:crypto'
import { hash, type Options, verify } from '@node-rs/argon2'
import { requestErrors } from '../errors.ts'
import { isGuessable } from '../password-strength.ts'
import { createTurns } from './slow-work.ts'

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 128

// OWASP Password Storage Cheat Sheet: argon2id (this library's default algorithm), 19 MiB, two passes, one lane.
const ARGON2: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// The argon2id hash of a thrown-away random text, with the parameters above: verifying against it takes as long.
const NOBODY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$V7xkCIkmjTSn9lJHHYpCiw$RI3fcKvIgheYmt/DlbxqiF9Vjux1gT+wI5WYjt+E140'

// The same text typed on two keyboards may differ in its code points (NIST SP 800-63B, 5.1.1.2).
const normalized = (password: string): string => password.normalize('NFKC')

// The process has four threads for this and for files and names: a flood of log-ins leaves two of them free, and holds
// 38 MiB. Who comes last waits for some three seconds, about as long as a person does.
const inTurn = createTurns({ running: 2, waiting: 64 })

/**
 * The text to keep in place of a password. Slow on purpose: never call it inside a transaction. Throws server.unavailable
 * while too many others wait.
 */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normalized(password), ARGON2))

/**
 * Whether a password is the one behind `passwordHash`. Without a hash it is not, after the same time, so that nobody
 * learns which accounts exist. Slow on purpose: never call it inside a transaction. Throws server.unavailable while too
 * many others wait.
 */
export const verifyPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const matches = await inTurn(() => verify(passwordHash ?? NOBODY_HASH, normalized(password)))
  return matches && passwordHash !== undefined
}

/** Whether guessers try this password first, also because of what is known of the person: see password-strength.ts. */
export const isCommonPassword = (password: string, known: readonly string[] = []): boolean =>
  isGuessable(normalized(password), known)

/** A password that nobody chose: 144 random bits. */
export const randomPassword = (): string => randomBytes(18).toString('base64url')

/** Throws request.validation_failed for a password that guessers try first, given what they know of the person. `path` names the field. */
export const refuseGuessable = (
  password: string,
  { email, name, companyName }: { email: string; name?: string; companyName?: string },
  path: string,
): void => {
  const known = [email, name, companyName].filter((text) => text !== undefined)
  if (!isCommonPassword(password, known)) return
  const message = 'This password is among the first that guessers try. Choose another.'
  throw requestErrors.failed({ errors: [{ in: 'body', path, code: 'password_common', message }] })
}
