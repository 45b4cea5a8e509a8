/**
 * A client of the Central Bank's Pix API, and of what Efí adds to it, for one account at one PSP. It knows nothing of
 * the platform: what it needs is handed to it, and every call ends as an `Outcome`.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { CertificateOptions, Identity } from '../../../crypto/certificate-files.ts'
import { type Budget, createBudget } from './calls/budget.ts'
import { type Call, createCaller, type Download } from './calls/call.ts'
import { createSession, type Session } from './calls/session.ts'
import type { TokenOptions } from './calls/token-request.ts'
import { type Charges, createCharges } from './charges.ts'
import { createDueCharges, type DueCharges } from './due-charges.ts'
import { type Balance, createBalance } from './efi/balance.ts'
import { createInfractions, type Infractions } from './efi/infractions.ts'
import { createPayouts, type PixPayouts } from './efi/payouts.ts'
import { createReports, type Reports } from './efi/reports.ts'
import {
  type BudgetLimits,
  type Capability,
  type ClientAuthentication,
  PROFILES,
  type Profile,
  type ProfileName,
} from './profiles.ts'
import type { Merchant } from './qr-code.ts'
import { createReceivedPix, type ReceivedPixList } from './received-pix.ts'
import { createRefunds, type Refunds } from './refunds.ts'
import { type CertificateWatch, watchCertificate } from './transport/certificate-watch.ts'
import type { ConnectionLimits } from './transport/connections.ts'
import { createWebhooks, type PixWebhooks } from './webhooks.ts'

export type PixApiLimits = ConnectionLimits & {
  /** Of a call, the wait for a token included. */
  deadlineMs: number
  /** Of fetching a token, which goes on for others when a caller gives up. */
  tokenDeadlineMs: number
  /** How often the certificate's files are looked at. */
  certificateCheckMs: number
}

const LIMITS: PixApiLimits = {
  connectTimeoutMs: 3_000,
  // Less than load balancers wait, so that few calls meet a connection that is being closed.
  idleTimeoutMs: 10_000,
  // At half a second for an answer, 500 calls a second; opened as they are needed.
  connectionsMax: 256,
  // A page of a hundred has some tens of kilobytes.
  answerBytesMax: 4 * 1024 * 1024,
  deadlineMs: 10_000,
  tokenDeadlineMs: 5_000,
  certificateCheckMs: 10_000,
}

export type PixApiOptions = CertificateOptions & {
  profile: ProfileName
  /** In place of the profile's. The generic profile has neither. */
  apiUrl?: string | undefined
  tokenUrl?: string | undefined
  /** In place of the profile's way. */
  clientAuthentication?: ClientAuthentication | undefined
  clientId: string
  /** Not needed where the certificate is the secret. */
  clientSecret?: string | undefined
  /** Inter: needed where the log-in reaches more than one account. */
  accountNumber?: string | undefined
  /** Banco do Brasil: of the application, from the developers' portal. */
  applicationKey?: string | undefined
  /** Shown on codes that we make ourselves, where the PSP gives none. */
  merchant: Merchant
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
  limits?: Partial<PixApiLimits> | undefined
  budget?: Partial<BudgetLimits> | undefined
  /** Milliseconds of a clock that nobody sets, for lifetimes and budgets. */
  monotonicMs: () => number
}

export type PixApi = {
  can: (capability: Capability) => boolean
  charges: Charges
  dueCharges: DueCharges
  receivedPix: ReceivedPixList
  refunds: Refunds
  webhooks: PixWebhooks
  /** These four are undefined where the profile has no such thing. */
  payouts: PixPayouts | undefined
  infractions: Infractions | undefined
  balance: Balance | undefined
  reports: Reports | undefined
  /** When our certificate ends, by itself. After that, the PSP closes connections without a word. */
  certificateExpiresAt: () => Date
  /** What is wrong with the certificate's files as they are now, in one line; null where nothing is. */
  certificateProblem: () => string | null
  /** Closes all connections; calls under way end as broken ones. */
  close: () => Promise<void>
}

const addressOf = (name: ProfileName, what: 'apiUrl' | 'tokenUrl', configured: string | undefined): string => {
  const address = configured ?? PROFILES[name][what]
  if (address === null) throw new RangeError(`the Pix profile ${name} needs ${what}`)
  if (!URL.canParse(address)) throw new RangeError(`${what} of the Pix API is not an address`)
  return address.replace(/\/+$/, '')
}

const tokenOptionsOf = (options: PixApiOptions, deadlineMs: number): TokenOptions => {
  const { profile: name, clientId, clientSecret = '', clock, logger } = options
  const { tokenBody, clientAuthentication } = PROFILES[name]
  const way = options.clientAuthentication ?? clientAuthentication
  if (way !== 'id' && clientSecret === '') throw new RangeError(`the Pix profile ${name} needs a client secret`)
  return {
    ...{ tokenUrl: addressOf(name, 'tokenUrl', options.tokenUrl), clientId, clientSecret },
    ...{ clientAuthentication: way, tokenBody, deadlineMs, clock, logger },
  }
}

type Sessions = { current: () => Session; watch: CertificateWatch; close: () => Promise<void> }

/** The session of the certificate as it is now. Calls that have begun keep the one that they began with. */
const openSessions = (options: PixApiOptions, limits: PixApiLimits, monotonicMs: () => number): Sessions => {
  const token = tokenOptionsOf(options, limits.tokenDeadlineMs)
  const open = (identity: Identity): Session => createSession(identity, { limits, token, monotonicMs })
  const { certificate, caFile, clock, logger } = options
  const renew = (identity: Identity): void => {
    const before = current
    current = open(identity)
    before.retire()
  }
  const checkEveryMs = limits.certificateCheckMs
  const watch = watchCertificate({ certificate, caFile, checkEveryMs, clock, logger, onRenewal: renew })
  let current = open(watch.current())
  const close = async (): Promise<void> => {
    await watch.close()
    await current.close()
  }
  return { current: () => current, watch, close }
}

const createOwn = (profile: Profile, call: Call, download: Download) => {
  const { payouts, infractions, balance, reports } = profile.scopes
  return {
    payouts: payouts && createPayouts(call, profile),
    infractions: infractions && createInfractions(call, profile),
    balance: balance && createBalance(call),
    reports: reports && createReports(call, download),
  }
}

/**
 * Opens a client. Throws a RangeError on options that cannot work and a CertificateError on files that make no
 * certificate, each with one line for the operator.
 */
export const createPixApi = (options: PixApiOptions): PixApi => {
  const { clientId, clock, merchant, monotonicMs } = options
  const profile: Profile = PROFILES[options.profile]
  const limits = { ...LIMITS, ...options.limits }
  const budget: Budget = createBudget({ ...profile.budget, ...options.budget }, monotonicMs)
  const apiUrl = addressOf(options.profile, 'apiUrl', options.apiUrl)
  const sessions = openSessions(options, limits, monotonicMs)
  const { call, download } = createCaller({
    ...{ profile, apiUrl, clientId, budget, clock, session: sessions.current, deadlineMs: limits.deadlineMs },
    ...{ accountNumber: options.accountNumber, applicationKey: options.applicationKey },
  })
  return {
    can: (capability) => profile.scopes[capability] !== undefined,
    charges: createCharges(call, profile, merchant),
    dueCharges: createDueCharges(call, profile, merchant),
    receivedPix: createReceivedPix(call, profile),
    refunds: createRefunds(call, profile),
    webhooks: createWebhooks(call, profile),
    ...createOwn(profile, call, download),
    certificateExpiresAt: () => sessions.watch.current().expiresAt,
    certificateProblem: sessions.watch.problem,
    close: sessions.close,
  }
}
