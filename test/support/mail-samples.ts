import { type FactsOf, type MailKind, TEMPLATES } from '../../src/mail/templates/catalogue.ts'

const AT = '2026-11-20T13:31:00.000Z'
const UNTIL = '2026-11-20T14:31:00.000Z'
const PAYMENT_ID = '019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

const withdrawal = { amount: 5_000, netAmount: 4_900, feeAmount: 100, pixKey: 'm***@e***.com' }
const dispute = { amount: 123_456, reason: 'Não reconheço a compra', paymentId: PAYMENT_ID, respondBy: AT }

/** What a mail of each kind may tell. */
export const MAIL_SAMPLES: { readonly [Kind in MailKind]: FactsOf<Kind> } = {
  company_approved: { companyName: 'Padaria da Maria' },
  company_rejected: { companyName: 'Padaria da Maria', reason: 'O CNPJ está baixado.' },
  company_changes_requested: { companyName: 'Padaria da Maria', reason: 'Envie o contrato social.' },
  withdrawal_completed: { ...withdrawal, completedAt: AT, endToEndId: 'E1234567820261120133100000000001' },
  withdrawal_failed: { ...withdrawal, reason: 'A chave Pix não existe' },
  withdrawal_returned: { ...withdrawal, reason: 'A conta foi encerrada' },
  dispute_opened: { ...dispute, type: 'med' },
  dispute_deadline_near: dispute,
  payment_receipt: {
    sellerName: 'Padaria da Maria',
    paidAmount: 123_456,
    method: 'pix',
    paidAt: AT,
    description: 'Pedido 77',
    paymentId: PAYMENT_ID,
    endToEndId: 'E1234567820261120133100000000002',
  },
  email_verification: { validUntil: UNTIL, secret: { token: 'token-of-the-link' } },
  email_confirmation: { validUntil: UNTIL, secret: { token: 'token-of-the-link' } },
  email_changed: { newEmail: 'n***@e***.com', changedAt: AT },
  password_recovery: { validUntil: UNTIL, secret: { token: 'token-of-the-link' } },
  password_changed: { changedAt: AT },
  second_factor_changed: { change: 'enabled', changedAt: AT },
  second_factor_guessed: { ipAddress: '203.0.113.7', guessedAt: AT },
  new_device: { device: 'Firefox, Linux', ipAddress: '203.0.113.7', loggedInAt: AT },
  credentials_rotated: { clientId: 'client_123', changedAt: AT, previousValidUntil: '2026-11-21T13:31:00.000Z' },
  account_blocked: { changedAt: AT },
  account_unblocked: { changedAt: AT },
  payout_destination_changed: { pixKey: 'm***@e***.com', changedAt: AT, usableFrom: '2026-11-21T13:31:00.000Z' },
  invitation: {
    invitedBy: 'João Lima',
    team: 'Padaria da Maria',
    validUntil: UNTIL,
    secret: { token: 'token-of-the-link' },
  },
  daily_digest: {
    companies: { count: 2, since: AT },
    withdrawals: { count: 3, since: AT, amount: 150_000 },
    providerEvents: { count: 1, since: null },
  },
}

export const MAIL_KINDS = Object.keys(TEMPLATES) as MailKind[]
