import { lifecycle } from './lifecycle.ts'
import { absolute, type Centavos } from './money.ts'

/** What the policy may ask a second administrator for. `policy`: what would loosen the policy itself. */
export const APPROVAL_KINDS = [
  'withdrawal',
  'adjustment',
  'write_off',
  'treasury_payout',
  'reconciliation',
  'fee',
  'withdrawal_config',
  'reserve_config',
  'role',
  'policy',
] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'void'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** `void`: what was proposed was decided in another way meanwhile. */
export const approvalLifecycle = lifecycle<ApprovalStatus>('approval', {
  pending: ['approved', 'rejected', 'void'],
  approved: [],
  rejected: [],
  void: [],
})

/** How long a new administrator waits before they may approve money: two accounts of one person are told about by then. */
const FIRST_DAY_MS = 24 * 3_600_000

/** From when on an administrator who is made at an instant may approve money. */
export const approvesFrom = (madeAt: Date): Date => new Date(madeAt.getTime() + FIRST_DAY_MS)

/** From which amounts on, null for never, and for which changes two administrators are needed. */
export type ApprovalPolicy = {
  withdrawalFromAmount: Centavos | null
  adjustmentFromAmount: Centavos | null
  writeOffFromAmount: Centavos | null
  treasuryPayoutFromAmount: Centavos | null
  /** Changes of fees, and of what sellers may withdraw and have held back. */
  fees: boolean
  /** Who is an administrator, and what each may do. */
  roles: boolean
}

export const NO_POLICY: ApprovalPolicy = {
  withdrawalFromAmount: null,
  adjustmentFromAmount: null,
  writeOffFromAmount: null,
  treasuryPayoutFromAmount: null,
  fees: false,
  roles: false,
}

type Threshold = Exclude<keyof ApprovalPolicy, 'fees' | 'roles'>

type OfAmount = Exclude<ApprovalKind, 'policy' | 'fee' | 'withdrawal_config' | 'reserve_config' | 'role'>

const THRESHOLDS: Readonly<Record<OfAmount, Threshold>> = {
  withdrawal: 'withdrawalFromAmount',
  adjustment: 'adjustmentFromAmount',
  write_off: 'writeOffFromAmount',
  treasury_payout: 'treasuryPayoutFromAmount',
  // What resolves a difference corrects a book as an adjustment does.
  reconciliation: 'adjustmentFromAmount',
}

/** Whether moving an amount, of either sign, needs a second administrator. What loosens a policy always does. */
export const needsSecondPerson = (policy: ApprovalPolicy, kind: ApprovalKind, amount: Centavos): boolean => {
  if (kind === 'policy') return true
  if (kind === 'fee' || kind === 'withdrawal_config' || kind === 'reserve_config') return policy.fees
  if (kind === 'role') return policy.roles
  const from = policy[THRESHOLDS[kind]]
  return from !== null && absolute(amount) >= from
}

/** Whether a policy asks for a second person less often than another in any way. */
export const isLooser = (after: ApprovalPolicy, before: ApprovalPolicy): boolean =>
  (Object.keys(NO_POLICY) as (keyof ApprovalPolicy)[]).some((name) => {
    const [was, is] = [before[name], after[name]]
    if (typeof was === 'boolean' || typeof is === 'boolean') return was === true && is !== true
    return was !== null && (is === null || is > was)
  })
