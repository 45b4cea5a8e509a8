import { allows, type Transitions } from './lifecycle.ts'

export const COMPANY_STATUSES = [
  'draft',
  'awaiting_approval',
  'changes_requested',
  'approved',
  'rejected',
  'suspended',
] as const
export type CompanyStatus = (typeof COMPANY_STATUSES)[number]

const transitions = {
  draft: ['awaiting_approval'],
  awaiting_approval: ['approved', 'rejected', 'changes_requested'],
  changes_requested: ['awaiting_approval'],
  rejected: ['awaiting_approval'],
  approved: ['suspended'],
  suspended: ['approved'],
} as const satisfies Transitions<CompanyStatus>

export const canMoveCompany = (from: CompanyStatus, to: CompanyStatus): boolean => allows(transitions, from, to)
