const MIB = 1024 * 1024

/**
 * How much a seller may have the platform keep: companies that are not deleted, their documents, and their bytes; logos,
 * with those that were replaced and whose files are not removed yet.
 */
export type SellerQuota = { companiesMax: number; documentsMax: number; documentBytesMax: number; logosMax: number }

const UNAPPROVED: SellerQuota = { companiesMax: 20, documentsMax: 100, documentBytesMax: 200 * MIB, logosMax: 10 }
const APPROVED: SellerQuota = { companiesMax: 100, documentsMax: 2_000, documentBytesMax: 4_096 * MIB, logosMax: 50 }

/** Anybody may register; somebody has looked at who has an approved company. */
export const quotaOf = ({ approved }: { approved: boolean }): SellerQuota => (approved ? APPROVED : UNAPPROVED)
