import { lifecycle } from './lifecycle.ts'

export const DOCUMENT_TYPES = [
  'articles_of_incorporation',
  'cnpj_card',
  'mei_certificate',
  'meeting_minutes',
  'id_front',
  'id_back',
  'selfie',
  'proof_of_address',
  'bank_statement',
  'power_of_attorney',
  'other',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const DOCUMENT_STATUSES = ['pending', 'approved', 'rejected', 'superseded'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

export const DOCUMENT_CONTENT_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number]

/** The largest file: 10 MiB. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024
/** How many files one request may bring. */
export const DOCUMENTS_PER_REQUEST_MAX = 10
/** How many documents one company may have, superseded ones included. */
export const DOCUMENTS_PER_COMPANY_MAX = 100

export const documentLifecycle = lifecycle<DocumentStatus>('document', {
  pending: ['approved', 'rejected', 'superseded'],
  approved: ['rejected', 'superseded'],
  rejected: ['approved', 'superseded'],
  superseded: [],
})
