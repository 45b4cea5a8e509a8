import { createAuditLogService } from '../areas/admin/audit-log.service.ts'
import { createPersonalDataService } from '../areas/admin/personal-data.service.ts'
import { createCompaniesService } from '../areas/companies/companies.service.ts'
import { createCompanyDocumentReviewsService } from '../areas/companies/company-document-reviews.service.ts'
import { createCompanyDocumentsService } from '../areas/companies/company-documents.service.ts'
import { createCompanyReviewsService } from '../areas/companies/company-reviews.service.ts'
import { createCustomersService } from '../areas/customers/customers.service.ts'
import type { Ground } from './ground.ts'

/** Sellers' companies and customers, and what is kept about people. */
export const composeSellers = (ground: Ground) => ({
  companies: createCompaniesService(ground),
  companyDocuments: createCompanyDocumentsService(ground),
  companyReviews: createCompanyReviewsService(ground),
  companyDocumentReviews: createCompanyDocumentReviewsService(ground),
  customers: createCustomersService(ground),
  auditLog: createAuditLogService(ground),
  personalData: createPersonalDataService(ground),
})
