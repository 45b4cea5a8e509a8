import type { Actor } from './actor.ts'

/** Where a log-in comes from: a network address, and the browser if it has been logged in before. */
export type Client = { network: string; device: string | undefined }

/** A guess at something, counted for it and for whoever guesses, together. */
export type Guess = { account: string; guesser: string }

const userOf = (email: string): string => `user:${email}`
const codesOf = (userId: string): string => `totp:${userId}`

/** Everything that can be guessed of a person. */
export const accountsOf = ({ id, email }: { id: string; email: string }): string[] => [userOf(email), codesOf(id)]

const guesserOf = ({ network, device }: Client): string =>
  device === undefined ? `network:${network}` : `device:${device}`

/** At the password of an address at the log-in. */
export const guessAtPassword = (email: string, client: Client): Guess => ({
  account: userOf(email),
  guesser: guesserOf(client),
})

/**
 * At the code of a second factor. Whoever guesses it has the password already, and a code has six digits: strangers
 * have one count together, wherever they are.
 */
export const guessAtCode = (userId: string, { device }: Client): Guess => ({
  account: codesOf(userId),
  guesser: device === undefined ? 'strangers' : `device:${device}`,
})

/** At the secret of API credentials. */
export const guessAtSecret = (clientId: string, network: string): Guess => ({
  account: `client:${clientId}`,
  guesser: `network:${network}`,
})

/** At the password or a code by somebody who is logged in, and may have stolen the session. */
export const guessInSession = ({ userId, sessionId }: Actor): Guess => ({
  account: `session-of:${userId}`,
  guesser: `session:${sessionId}`,
})
