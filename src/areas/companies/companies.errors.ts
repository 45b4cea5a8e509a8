import { defineErrors } from '../../errors.ts'

export const companyErrors = defineErrors('company', {
  not_found: [404, 'No company has this id.'],
  cnpj_taken: [409, 'Another company has this CNPJ.'],
  quota_reached: [422, 'You have as many companies as you can have now. More are possible once one is approved.'],
  cnpj_frozen: [409, 'The CNPJ of a company that was approved cannot change.'],
  not_draft: [409, 'Only a company that was never submitted can stay a draft.'],
  balance_not_zero: [409, 'An approved company cannot be deleted while the platform holds money of its seller.'],
  not_awaiting_approval: [409, 'Only a company that awaits approval can be decided on.'],
  not_approved: [409, 'Only an approved company can be suspended.'],
  not_suspended: [409, 'Only a suspended company can be reactivated.'],
})

export const documentErrors = defineErrors('document', {
  not_found: [404, 'No document of this company has this id.'],
  company_closed: [409, 'The state of the company does not take documents now.'],
  superseded: [409, 'This document was replaced by a newer one.'],
  not_reviewable: [409, 'The state of this document does not permit this decision.'],
  too_many: [422, 'The company has as many documents as one company can have.'],
  quota_reached: [422, 'Your companies have as many documents as they can have now, or as many bytes of them.'],
  type_not_supported: [415, 'Only PDF, JPEG and PNG files are accepted, judged by their content.'],
})
