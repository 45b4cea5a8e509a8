/** A job runs every so many minutes, counted from a minute of the hour. In UTC. */
export type Rhythm = { everyMinutes: number; fromMinute: number }

const EACH_MINUTE: Rhythm = { everyMinutes: 1, fromMinute: 0 }

/**
 * When each job runs. What was missed while nothing ran is not made up for: one run does all that is due. What cannot
 * wait for its time runs at once (run-soon.ts).
 */
const SCHEDULE = {
  processProviderEvents: EACH_MINUTE,
  expirePayments: EACH_MINUTE,
  settlePayments: EACH_MINUTE,
  readReceivedPix: EACH_MINUTE,
  readInfractions: { everyMinutes: 10, fromMinute: 3 },
  registerPixWebhook: { everyMinutes: 10, fromMinute: 1 },
  watchPixCertificate: { everyMinutes: 60, fromMinute: 9 },
  refundReceivedPix: EACH_MINUTE,
  reconcilePayments: EACH_MINUTE,
  sendRefunds: EACH_MINUTE,
  reconcileRefunds: EACH_MINUTE,
  sendDefenses: EACH_MINUTE,
  loseUnansweredDisputes: EACH_MINUTE,
  remindOfDisputes: EACH_MINUTE,
  payWithdrawals: EACH_MINUTE,
  reconcilePayouts: EACH_MINUTE,
  payTreasury: EACH_MINUTE,
  refundPayers: EACH_MINUTE,
  reconcileProviders: { everyMinutes: 60, fromMinute: 27 },
  ageDebts: { everyMinutes: 60, fromMinute: 7 },
  releaseReserves: EACH_MINUTE,
  releaseAllReserves: EACH_MINUTE,
  expirePaymentLinks: EACH_MINUTE,
  sendMails: EACH_MINUTE,
  sendDailyDigest: EACH_MINUTE,
  eraseCopies: EACH_MINUTE,
  forgetCards: EACH_MINUTE,
  rollUpDailyTotals: EACH_MINUTE,
  proveLedger: EACH_MINUTE,
  reseal: { everyMinutes: 5, fromMinute: 2 },
  chainLedger: { everyMinutes: 5, fromMinute: 0 },
  cleanUp: { everyMinutes: 60, fromMinute: 17 },
  purgeEvents: { everyMinutes: 60, fromMinute: 47 },
} as const satisfies Readonly<Record<string, Rhythm>>

/** Every job of the platform. */
export type JobName = keyof typeof SCHEDULE

export const JOB_NAMES: readonly string[] = Object.keys(SCHEDULE)

const rhythms: ReadonlyMap<string, Rhythm> = new Map(Object.entries(SCHEDULE))

/** A job that the table does not have runs each minute. */
export const rhythmOf = (job: string): Rhythm => rhythms.get(job) ?? EACH_MINUTE
