import { z } from 'zod'
import { httpUrl, wholeNumber } from './value-types.ts'

const MINUTE_MS = 60_000
const WHO_NEEDS_SECOND_FACTOR = ['admins', 'sellers', 'withdrawals'] as const

const secondFactorRule = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.split(',').map((part) => part.trim())))
  .pipe(z.array(z.enum(WHO_NEEDS_SECOND_FACTOR, 'must be none, or of admins, sellers, withdrawals some with commas')))

/** Longer than an access token lives: who is at work renews it in time. Never longer than a session. */
const idleMinutes = (maxDays: number) => wholeNumber(20, maxDays * 24 * 60)

/** How people get in, and for how long. */
export const peopleVariables = {
  SECOND_FACTOR_REQUIRED: secondFactorRule.optional(),
  TOTP_DRIFT_STEPS: wholeNumber(0, 1).optional(),
  SESSION_IDLE_MINUTES: idleMinutes(30).default(7 * 24 * 60),
  ADMIN_SESSION_IDLE_MINUTES: idleMinutes(0.5).default(30),
  BREACHED_PASSWORDS_URL: z.union([z.literal('none'), httpUrl]).optional(),
}

/** Of whom a second factor is asked: administrators, people of sellers, and people who withdraw. */
export type SecondFactorRule = Readonly<{ admins: boolean; sellers: boolean; withdrawals: boolean }>

export type PeopleConfig = Readonly<{
  secondFactor: SecondFactorRule
  /** How many half minutes a code may be of before or after. */
  totpDriftSteps: number
  /** After how long without new tokens a session ends. */
  sessionIdleMs: Readonly<{ seller: number; admin: number }>
  /** Absent: chosen passwords are not looked for among those that leaked. */
  breachedPasswordsUrl: string | undefined
  /** Whether a password that was made up opens an account only until another is chosen. */
  madeUpPasswordsExpire: boolean
}>

const PWNED_PASSWORDS = 'https://api.pwnedpasswords.com/range/'

type Variables = z.output<z.ZodObject<typeof peopleVariables>>

/** In production what OWASP ASVS 5.0 asks at level 2; elsewhere what lets one begin at once. */
export const peopleConfigOf = (data: Variables, production: boolean): PeopleConfig => {
  const asked = data.SECOND_FACTOR_REQUIRED ?? (production ? ['admins', 'sellers'] : [])
  const breachedUrl = data.BREACHED_PASSWORDS_URL ?? (production ? PWNED_PASSWORDS : 'none')
  return Object.freeze({
    secondFactor: Object.freeze({
      admins: asked.includes('admins'),
      sellers: asked.includes('sellers'),
      withdrawals: asked.includes('withdrawals'),
    }),
    totpDriftSteps: data.TOTP_DRIFT_STEPS ?? (production ? 0 : 1),
    sessionIdleMs: Object.freeze({
      seller: data.SESSION_IDLE_MINUTES * MINUTE_MS,
      admin: data.ADMIN_SESSION_IDLE_MINUTES * MINUTE_MS,
    }),
    breachedPasswordsUrl: breachedUrl === 'none' ? undefined : breachedUrl.replace(/\/*$/, '/'),
    madeUpPasswordsExpire: production,
  })
}
