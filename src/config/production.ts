import { isGuessable } from '../password-strength.ts'
import { isThisMachine } from './this-machine.ts'

type Given = Readonly<Record<string, string | undefined>>

const SECRETS = ['JWT_SECRET', 'ENCRYPTION_KEY', 'METRICS_TOKEN'] as const
/** Random text of 32 characters has more of them, also in hexadecimal; what somebody typed to please a length has fewer. */
const DISTINCT_CHARACTERS_MIN = 10

// One that is too short is told so already.
const isWeak = (secret: string): boolean => secret.length >= 32 && new Set(secret).size < DISTINCT_CHARACTERS_MIN

/** What production does not start with, though its form is right: one line for each. */
export const productionFaults = (given: Given): string[] => {
  const weak = SECRETS.filter((name) => {
    const secrets = given[name]?.split(',') ?? []
    return secrets.some((secret) => isWeak(secret.trim()))
  }).map((name) => `${name}: must be random, for example from: openssl rand -base64 48`)
  const { ADMIN_PASSWORD: password, ADMIN_EMAIL: email = '', PUBLIC_URL: url = '' } = given
  const guessable =
    password !== undefined && isGuessable(password, [email, 'admin administrator'])
      ? ['ADMIN_PASSWORD: is among the first that guessers try']
      : []
  const isPlain = URL.canParse(url) && new URL(url).protocol === 'http:' && !isThisMachine(new URL(url))
  return [...weak, ...guessable, ...(isPlain ? ['PUBLIC_URL: must begin with https://'] : [])]
}
