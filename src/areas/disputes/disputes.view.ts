import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Dispute, DisputeFile } from './disputes.queries.ts'

const fileView = ({ id, fileName, contentType, sizeBytes, sha256 }: DisputeFile) => ({
  id,
  fileName,
  contentType,
  size: sizeBytes,
  sha256,
})

const defenseView = (row: Dispute, files: readonly DisputeFile[]) =>
  row.defense === null || row.defendedAt === null
    ? null
    : {
        text: row.defense,
        files: files.map(fileView),
        submittedAt: toTimestamp(row.defendedAt),
        refusal: row.defenseRefusal,
      }

/** A dispute as the API shows it. `files` are those of its defence. */
export const disputeView = (row: Dispute, files: readonly DisputeFile[]) => ({
  id: row.id,
  paymentId: row.paymentId,
  type: row.type,
  status: row.status,
  amount: row.amount,
  blockedAmount: row.blockedAmount,
  frozenReserveAmount: row.frozenReserveAmount,
  feeAmount: row.feeAmount,
  reason: row.reason,
  respondBy: toTimestamp(row.respondBy),
  defense: defenseView(row, files),
  resolvedAt: toTimestampOrNull(row.resolvedAt),
  resolvedBy: row.resolvedBy,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type DisputeView = ReturnType<typeof disputeView>
