import type { Template } from '../text/template.ts'
import { accountBlocked, accountUnblocked } from './account-blocked.ts'
import { companyApproved } from './company-approved.ts'
import { companyChangesRequested } from './company-changes-requested.ts'
import { companyRejected } from './company-rejected.ts'
import { credentialsRotated } from './credentials-rotated.ts'
import { dailyDigest } from './daily-digest.ts'
import { disputeDeadlineNear } from './dispute-deadline-near.ts'
import { disputeOpened } from './dispute-opened.ts'
import { emailChanged } from './email-changed.ts'
import { emailConfirmation } from './email-confirmation.ts'
import { emailVerification } from './email-verification.ts'
import { invitation } from './invitation.ts'
import { newDevice } from './new-device.ts'
import { passwordChanged } from './password-changed.ts'
import { passwordRecovery } from './password-recovery.ts'
import { paymentReceipt } from './payment-receipt.ts'
import { payoutDestinationChanged } from './payout-destination-changed.ts'
import { secondFactorChanged } from './second-factor-changed.ts'
import { secondFactorGuessed } from './second-factor-guessed.ts'
import { withdrawalCompleted } from './withdrawal-completed.ts'
import { withdrawalFailed } from './withdrawal-failed.ts'
import { withdrawalReturned } from './withdrawal-returned.ts'

/** Mails that tell of an event: they are never asked for, but follow from it. */
const OF_EVENTS = {
  company_approved: companyApproved,
  company_rejected: companyRejected,
  company_changes_requested: companyChangesRequested,
  withdrawal_completed: withdrawalCompleted,
  withdrawal_failed: withdrawalFailed,
  withdrawal_returned: withdrawalReturned,
  dispute_opened: disputeOpened,
  dispute_deadline_near: disputeDeadlineNear,
  payment_receipt: paymentReceipt,
}

/** Mails that whoever causes them asks for. */
const ASKED_FOR = {
  email_verification: emailVerification,
  email_confirmation: emailConfirmation,
  email_changed: emailChanged,
  password_recovery: passwordRecovery,
  password_changed: passwordChanged,
  second_factor_changed: secondFactorChanged,
  second_factor_guessed: secondFactorGuessed,
  new_device: newDevice,
  credentials_rotated: credentialsRotated,
  account_blocked: accountBlocked,
  account_unblocked: accountUnblocked,
  payout_destination_changed: payoutDestinationChanged,
  invitation,
  daily_digest: dailyDigest,
}

export const TEMPLATES = { ...OF_EVENTS, ...ASKED_FOR }

export type MailKind = keyof typeof TEMPLATES
export type EventMailKind = keyof typeof OF_EVENTS
export type AskedMailKind = keyof typeof ASKED_FOR

/** What a mail of a kind has to be told, its secret included. */
export type FactsOf<Kind extends MailKind> = Parameters<(typeof TEMPLATES)[Kind]['letters']['pt']>[0]

const templates: ReadonlyMap<string, Template<object>> = new Map(
  Object.entries(TEMPLATES as unknown as Record<string, Template<object>>),
)

/** Of a row: undefined where a newer version wrote it. */
export const templateOf = (kind: string): Template<object> | undefined => templates.get(kind)
