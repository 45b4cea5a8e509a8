import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Customer } from './customers.repository.ts'

/** A customer as the API shows them. */
export const customerView = (row: Customer) => ({
  id: row.id,
  sellerId: row.sellerId,
  name: row.name,
  email: row.email,
  document: row.document,
  documentType: row.documentType,
  phone: row.phone,
  address: row.address,
  externalReference: row.externalReference,
  metadata: row.metadata,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
  deletedAt: toTimestampOrNull(row.deletedAt),
})

export type CustomerView = ReturnType<typeof customerView>
