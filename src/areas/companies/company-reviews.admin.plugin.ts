import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import type { CompanyDocumentReviewsService } from './company-document-reviews.service.ts'
import { documentParams } from './company-documents.schemas.ts'
import {
  adminCompanyResponse,
  approvedResponse,
  reasonBody,
  requestsQuery,
  requestsResponse,
  reviewedDocumentResponse,
  reviewedResponse,
  reviewsQuery,
  reviewsResponse,
} from './company-reviews.schemas.ts'
import type { CompanyReviewsService } from './company-reviews.service.ts'

type Options = { companyReviews: CompanyReviewsService; companyDocumentReviews: CompanyDocumentReviewsService }

const tags = ['Admin']
const DECIDES = ['company.not_found', 'company.not_awaiting_approval'] as const
const JUDGES = ['company.not_found', 'document.not_found', 'document.not_reviewable'] as const

const APPROVALS = [
  { path: '/:id/approve', operationId: 'approveCompany' },
  { path: '/:id', operationId: 'approveCompanyById' },
] as const

const DECISIONS = [
  {
    verb: 'reject',
    operationId: 'rejectCompany',
    method: 'reject',
    summary: 'Reject a company',
    description: 'The seller may change the company, which submits it again.',
    errors: DECIDES,
  },
  {
    verb: 'request-changes',
    operationId: 'requestCompanyChanges',
    method: 'requestChanges',
    summary: 'Send a company back for changes',
    description: 'The seller changes the company, which submits it again.',
    errors: DECIDES,
  },
  {
    verb: 'suspend',
    operationId: 'suspendCompany',
    method: 'suspend',
    summary: 'Suspend an approved company',
    description: 'The seller can neither receive new payments nor withdraw while no company of theirs is approved.',
    errors: ['company.not_found', 'company.not_approved'],
  },
  {
    verb: 'reactivate',
    operationId: 'reactivateCompany',
    method: 'reactivate',
    summary: 'Lift the suspension of a company',
    description:
      'The company is approved again, which sellers hear as `company.approved`. The reason is kept in the audit log.',
    errors: ['company.not_found', 'company.not_suspended'],
  },
] as const

/** The administrators' review of companies and their documents. */
export const companyReviewsPlugin: FastifyPluginAsyncZod<Options> = async (app, options) => {
  const { companyReviews, companyDocumentReviews } = options

  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listEnterprises',
        summary: 'List companies',
        description: 'Companies of all sellers, newest first, deleted ones left out.',
        tags,
        querystring: reviewsQuery,
        response: { 200: reviewsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await companyReviews.list(request.query)),
  )

  app.get(
    '/requests',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listEnterpriseRequests',
        summary: 'List companies that await approval',
        description: 'The one that has waited longest first, with its user and the states of its documents.',
        tags,
        querystring: requestsQuery,
        response: { 200: requestsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await companyReviews.listRequests(request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['company.not_found'] },
      schema: {
        operationId: 'getEnterprise',
        summary: 'Get any company',
        description: 'A company of any seller with its documents, and who approved it.',
        tags,
        params: idParams,
        response: { 200: adminCompanyResponse },
      },
    },
    async (request) => companyReviews.get(request.params.id),
  )

  for (const { path, operationId } of APPROVALS) {
    app.post(
      path,
      {
        config: { access: ['admin:risk'], errors: DECIDES },
        schema: {
          operationId,
          summary: 'Approve a company',
          description:
            'From now on the seller may receive payments and withdraw. Approving an approved company answers the same company and changes nothing. Both paths of this operation do the same.',
          tags,
          params: idParams,
          response: { 200: approvedResponse },
        },
      },
      async (request) => ({ company: await companyReviews.approve(actorOf(request), request.params.id) }),
    )
  }

  for (const { verb, operationId, method, summary, description, errors } of DECISIONS) {
    app.post(
      `/:id/${verb}`,
      {
        config: { access: ['admin:risk'], errors },
        schema: {
          operationId,
          summary,
          description,
          tags,
          params: idParams,
          body: reasonBody,
          response: { 200: reviewedResponse },
        },
      },
      async (request) => ({
        company: await companyReviews[method](actorOf(request), request.params.id, request.body.reason),
      }),
    )
  }

  app.post(
    '/:id/documents/:documentId/approve',
    {
      config: { access: ['admin:risk'], errors: JUDGES },
      schema: {
        operationId: 'approveDocument',
        summary: 'Approve a document',
        description: 'Also of one that was rejected by mistake. Approving an approved document changes nothing.',
        tags,
        params: documentParams,
        response: { 200: reviewedDocumentResponse },
      },
    },
    async (request) => ({
      document: await companyDocumentReviews.approve(actorOf(request), request.params.id, request.params.documentId),
    }),
  )

  app.post(
    '/:id/documents/:documentId/reject',
    {
      config: { access: ['admin:risk'], errors: JUDGES },
      schema: {
        operationId: 'rejectDocument',
        summary: 'Reject a document',
        description: 'The seller sees the reason and may replace the document. Superseded documents are not judged.',
        tags,
        params: documentParams,
        body: reasonBody,
        response: { 200: reviewedDocumentResponse },
      },
    },
    async (request) => ({
      document: await companyDocumentReviews.reject(
        actorOf(request),
        request.params.id,
        request.params.documentId,
        request.body.reason,
      ),
    }),
  )
}
