import { lifecycle } from './lifecycle.ts'

export const COMPANY_STATUSES = [
  'draft',
  'awaiting_approval',
  'changes_requested',
  'approved',
  'rejected',
  'suspended',
] as const
export type CompanyStatus = (typeof COMPANY_STATUSES)[number]

export const companyLifecycle = lifecycle<CompanyStatus>('company', {
  draft: ['awaiting_approval'],
  awaiting_approval: ['approved', 'rejected', 'changes_requested'],
  changes_requested: ['awaiting_approval'],
  rejected: ['awaiting_approval'],
  approved: ['suspended'],
  suspended: ['approved'],
})
