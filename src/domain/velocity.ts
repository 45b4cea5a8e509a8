/** What declined cards are counted for: the link they are tried at, the card itself, and where they come from. */
export const VELOCITY_SUBJECTS = ['link', 'card', 'address'] as const
export type VelocitySubject = (typeof VELOCITY_SUBJECTS)[number]

/**
 * After `failuresMax` declined cards within `withinMinutes` the subject waits for `firstWaitMinutes`, after each further
 * one twice as long, up to `longestWaitMinutes`.
 */
export type VelocityRule = {
  subject: VelocitySubject
  failuresMax: number
  withinMinutes: number
  firstWaitMinutes: number
  longestWaitMinutes: number
  isActive: boolean
}

const DAY_MINUTES = 24 * 60

/** What holds until an administrator says otherwise. A link that sells well has declined cards every day. */
export const DEFAULT_VELOCITY_RULES: readonly VelocityRule[] = [
  { subject: 'link', failuresMax: 200, withinMinutes: 60, firstWaitMinutes: 5, longestWaitMinutes: 60, isActive: true },
  {
    subject: 'card',
    failuresMax: 5,
    withinMinutes: DAY_MINUTES,
    firstWaitMinutes: 60,
    longestWaitMinutes: DAY_MINUTES,
    isActive: true,
  },
  {
    subject: 'address',
    failuresMax: 10,
    withinMinutes: DAY_MINUTES,
    firstWaitMinutes: 15,
    longestWaitMinutes: DAY_MINUTES,
    isActive: true,
  },
]
