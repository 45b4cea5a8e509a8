import { z } from 'zod'
import { COMPANY_STATUSES } from '../../domain/company.ts'
import { DOCUMENTS_PER_COMPANY_MAX } from '../../domain/company-document.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { emailView, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'
import { companyResponse, companyView, REASON_MAX } from './companies.schemas.ts'
import { documentView } from './company-documents.schemas.ts'

export const reasonBody = z
  .strictObject({
    reason: text(REASON_MAX).meta({
      description: 'Why, for the seller and the audit log.',
      examples: ['The photo of the identity card is not readable.'],
    }),
  })
  .meta({ description: 'The reason of a decision.' })

/** Exactly what the interface says: one key, and the company without the state of its approval. */
export const approvedResponse = z
  .object({ company: companyView })
  .meta({ title: 'CompanyApproval', description: 'The company that was approved.' })

export const reviewedResponse = z
  .object({ company: companyResponse })
  .meta({ title: 'CompanyReview', description: 'The company as the decision left it.' })

export const reviewedDocumentResponse = z
  .object({ document: documentView })
  .meta({ title: 'CompanyDocumentReview', description: 'The document as the decision left it.' })

const search = text(100)
  .optional()
  .meta({ description: 'Part of a name, of the CNPJ (masked or not) or of an e-mail address.', examples: ['maria'] })

const sellerId = idSchema.optional().meta({ description: 'Only the companies of this seller.' })

const filters = { search, sellerId }

export const reviewsQuery = listQuery({ ...filters, status: repeatable(COMPANY_STATUSES) })

export const requestsQuery = listQuery(filters, {
  sorts: { submittedAt: 'instant' },
  usual: { field: 'submittedAt', descending: false },
})

export const reviewsResponse = listResponse(companyResponse, 'companies')

/** A company as administrators see it alone. */
export const adminCompanyResponse = companyResponse
  .extend({
    submittedAt: timestampView
      .nullable()
      .meta({ description: 'When it last came to be reviewed. Null: it never did.' }),
    approvedAt: timestampView.nullable().meta({ description: 'When it was approved, if it ever was.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The administrator who approved it.' }),
  })
  .meta({ title: 'AdminCompany', description: 'A company, and what came of its reviews.' })

const documentCount = (which: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(DOCUMENTS_PER_COMPANY_MAX)
    .meta({ description: `How many documents are ${which}.`, examples: [1] })

const requestView = companyResponse
  .extend({
    submittedAt: timestampView.meta({ description: 'Since when the company has been waiting.' }),
    user: z
      .object({
        id: idSchema.meta({ description: 'Identifier of the user.' }),
        name: z
          .string()
          .max(200)
          .meta({ description: 'Name of the user.', examples: ['Maria Silva'] }),
        email: emailView.meta({ description: 'E-mail address of the user.', examples: ['maria@example.com'] }),
        companyName: z
          .string()
          .max(200)
          .meta({ description: 'Company name given at registration.', examples: ['Loja'] }),
        phone: z
          .string()
          .max(40)
          .nullable()
          .meta({ description: 'Phone of the user.', examples: ['11987654321'] }),
      })
      .meta({ description: 'The user the company is linked to.' }),
    documentStatuses: z
      .object({
        pending: documentCount('waiting for a review'),
        approved: documentCount('approved'),
        rejected: documentCount('rejected'),
        superseded: documentCount('replaced by newer ones'),
      })
      .meta({ description: 'The documents, counted by the state of their review.' }),
  })
  .meta({ title: 'CompanyRequest', description: 'A company that awaits approval.' })

export const requestsResponse = listResponse(requestView, 'requests')

export type ReviewsQuery = z.output<typeof reviewsQuery>
export type RequestsQuery = z.output<typeof requestsQuery>
