import { createAuditLogService } from '../areas/audit-log/audit-log.service.ts'
import { createBrandingService } from '../areas/branding/branding.service.ts'
import { createCompaniesService } from '../areas/companies/companies.service.ts'
import { createCompanyDocumentReviewsService } from '../areas/companies/company-document-reviews.service.ts'
import { createCompanyDocumentsService } from '../areas/companies/company-documents.service.ts'
import { createCompanyReviewsService } from '../areas/companies/company-reviews.service.ts'
import { createCustomersService } from '../areas/customers/customers.service.ts'
import { createEraseCopies } from '../areas/personal-data/erase-copies.ts'
import { createErasePayer } from '../areas/personal-data/erase-payers.ts'
import { createErasuresService } from '../areas/personal-data/erasures.service.ts'
import { createPersonalDataService } from '../areas/personal-data/personal-data.service.ts'
import type { Foundation } from './foundation.ts'

/** Sellers' companies and customers, and what is kept about people. */
export const composeSellers = (foundation: Foundation) => {
  const { patient, clock } = foundation
  const erasing = {
    erasePayer: createErasePayer(foundation),
    eraseCopiesSoon: () => foundation.runSoon('eraseCopies'),
  }
  return {
    services: {
      branding: createBrandingService(foundation),
      companies: createCompaniesService(foundation),
      companyDocuments: createCompanyDocumentsService(foundation),
      companyReviews: createCompanyReviewsService(foundation),
      companyDocumentReviews: createCompanyDocumentReviewsService(foundation),
      customers: createCustomersService({ ...foundation, ...erasing }),
      auditLog: createAuditLogService(foundation),
      personalData: createPersonalDataService({ clock, logoUrl: foundation.logoUrl, transact: patient.transact }),
      erasures: createErasuresService({ ...foundation, ...erasing }),
    },
    jobs: { eraseCopies: createEraseCopies({ clock, transact: patient.transact }) },
  }
}
