import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import type { CompanyRow } from './companies.repository.ts'
import { companyEventResponse } from './companies.schemas.ts'
import { companyView, maskedCompany } from './companies.view.ts'

const SUBMITTED_AT = new Date('2026-11-19T18:20:31.702Z')
const DECIDED_AT = new Date('2026-11-20T10:11:03.118Z')

const submitted: CompanyRow = {
  id: '01939f3e-7777-7b1e-9d6a-3f5b8c2d1e00',
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  status: 'awaiting_approval',
  rejectionReason: null,
  commercialName: 'Padaria da Maria',
  invoiceName: 'PADARIA DA MARIA',
  averageRevenue: 50_000,
  averageTicket: 35.5,
  productsServices: 'Pães e bolos',
  website: 'https://padaria.example.com',
  contactEmail: 'contato@padaria.example.com',
  contactPhone: '11987654321',
  sellsPhysicalProducts: true,
  cnpj: '12ABC34501DE35',
  companyName: 'Padaria da Maria Ltda',
  tradeName: 'Padaria da Maria',
  phone: '1133334444',
  email: 'oi@padaria.example.com',
  addressZipCode: '01310100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressComplement: '',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  legalRepName: 'Maria Souza',
  legalRepCpf: '52998224725',
  legalRepRole: 'Sócia',
  legalRepStartDate: new Date('2020-01-15T00:00:00.000Z'),
  legalRepPhone: '11987654321',
  legalRepEmail: 'maria@example.com',
  submittedAt: SUBMITTED_AT,
  approvedAt: null,
  approvedBy: null,
  createdAt: SUBMITTED_AT,
  updatedAt: SUBMITTED_AT,
  deletedAt: null,
}

const entry = (description: string, changes: Partial<CompanyRow>): EventEntry => {
  const row = { ...submitted, ...changes }
  return {
    description,
    data: { name: 'CompanyEventData', schema: companyEventResponse },
    example: maskedCompany(companyView(row, [])),
    happenedAt: row.updatedAt,
  }
}

const decided = (status: CompanyRow['status'], rejectionReason: string | null): Partial<CompanyRow> => ({
  status,
  rejectionReason,
  updatedAt: DECIDED_AT,
})

/** Every event of a company, as the code that sends it makes it. */
export const companyEvents: EventEntries<Extract<EventType, `company.${string}`>> = {
  'company.submitted': entry('A company waits for its approval.', {}),
  'company.approved': entry('A company was approved, or may sell again: payments are open.', {
    ...decided('approved', null),
    approvedAt: DECIDED_AT,
  }),
  'company.rejected': entry(
    'A company was rejected; `rejectionReason` says why.',
    decided('rejected', 'The CNPJ belongs to another company.'),
  ),
  'company.changes_requested': entry(
    'A company must be changed before it can be approved; `rejectionReason` says how.',
    decided('changes_requested', 'The photo of the identity card is not readable.'),
  ),
  'company.suspended': entry(
    'A company was suspended: no new payments; `rejectionReason` says why.',
    decided('suspended', 'Too many disputes in November.'),
  ),
}
