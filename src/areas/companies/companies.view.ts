import { maskEmail, maskPhone } from '../../domain/masks.ts'
import { maskTaxId } from '../../domain/tax-id.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { CompanyRow } from './companies.repository.ts'
import type { DocumentRow } from './company-documents.repository.ts'

/** A document as the API shows it. */
export const documentView = (row: DocumentRow) => ({
  id: row.id,
  companyId: row.companyId,
  type: row.type,
  fileName: row.fileName,
  contentType: row.contentType,
  size: row.sizeBytes,
  sha256: row.sha256,
  status: row.status,
  rejectionReason: row.rejectionReason,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type DocumentView = ReturnType<typeof documentView>

/** A company as the API shows it, with the state of its approval. */
export const companyView = (row: CompanyRow, documents: readonly DocumentRow[]) => ({
  id: row.id,
  userId: row.sellerId,
  commercialName: row.commercialName,
  invoiceName: row.invoiceName,
  averageRevenue: row.averageRevenue,
  averageTicket: row.averageTicket,
  productsServices: row.productsServices,
  website: row.website,
  contactEmail: row.contactEmail,
  contactPhone: row.contactPhone,
  sellsPhysicalProducts: row.sellsPhysicalProducts,
  cnpj: row.cnpj,
  companyName: row.companyName,
  tradeName: row.tradeName,
  phone: row.phone,
  email: row.email,
  addressZipCode: row.addressZipCode,
  addressStreet: row.addressStreet,
  addressNumber: row.addressNumber,
  addressComplement: row.addressComplement,
  addressNeighborhood: row.addressNeighborhood,
  addressCity: row.addressCity,
  addressState: row.addressState,
  legalRepName: row.legalRepName,
  legalRepCpf: row.legalRepCpf,
  legalRepRole: row.legalRepRole,
  legalRepStartDate: toTimestamp(row.legalRepStartDate),
  legalRepPhone: row.legalRepPhone,
  legalRepEmail: row.legalRepEmail,
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
  deletedAt: toTimestampOrNull(row.deletedAt),
  documents: documents.map(documentView),
  status: row.status,
  rejectionReason: row.rejectionReason,
})

export type CompanyView = ReturnType<typeof companyView>

/** The same with tax numbers, phones and e-mail addresses masked: what events carry. */
export const maskedCompany = (view: CompanyView): CompanyView => ({
  ...view,
  cnpj: maskTaxId(view.cnpj),
  contactEmail: maskEmail(view.contactEmail),
  contactPhone: maskPhone(view.contactPhone),
  email: maskEmail(view.email),
  phone: maskPhone(view.phone),
  legalRepCpf: maskTaxId(view.legalRepCpf),
  legalRepEmail: maskEmail(view.legalRepEmail),
  legalRepPhone: maskPhone(view.legalRepPhone),
})
