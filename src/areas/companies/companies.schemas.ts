import { z } from 'zod'
import { COMPANY_STATUSES } from '../../domain/company.ts'
import { DOCUMENTS_PER_COMPANY_MAX } from '../../domain/company-document.ts'
import { isPhone, isZipCode, STATES, stripPhone, stripZipCode } from '../../domain/contact.ts'
import { isCnpj, isCpf, stripTaxId } from '../../domain/tax-id.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import {
  dateOrInstantText,
  emailSchema,
  emailView,
  idSchema,
  repeatable,
  text,
  timestampView,
  urlView,
} from '../../http/primitives.schemas.ts'
import { documentView } from './company-documents.schemas.ts'

const REAIS_MAX = 10_000_000_000
const MASKED_MAX = 40
const WEBSITE_MAX = 2_048
export const REASON_MAX = 500

type Docs = { description: string; examples: unknown[] }

/** A field as it is sent and as it is shown: the same description, the input forgiving, the answer exact. */
const field = <Body extends z.ZodType, View extends z.ZodType>(body: Body, view: View, docs: Docs) => ({
  body: body.meta(docs),
  view: view.meta(docs),
})

const line = (max: number, description: string, example: string) =>
  field(text(max), z.string().max(max), { description, examples: [example] })

type Rule = { strip: (value: string) => string; isValid: (value: string) => boolean; message: string; length: number }

// A mask is welcome on the way in and never kept: `12.ABC.345/01DE-35` is stored as 12ABC34501DE35.
const stripped = ({ strip, isValid, message, length }: Rule, description: string, example: string) =>
  field(
    // The example stands on the text as it is sent: what is transformed cannot have one in the documentation.
    text(MASKED_MAX)
      .meta({ examples: [example] })
      .transform(strip)
      .pipe(z.string().refine(isValid, message)),
    z.string().max(length),
    { description, examples: [example] },
  )

const cnpjRule: Rule = { strip: stripTaxId, isValid: isCnpj, message: 'is not a valid CNPJ', length: 14 }
const cpfRule: Rule = { strip: stripTaxId, isValid: isCpf, message: 'is not a valid CPF', length: 11 }
const phoneRule: Rule = { strip: stripPhone, isValid: isPhone, message: 'is not a Brazilian phone number', length: 11 }
const zipCodeRule: Rule = { strip: stripZipCode, isValid: isZipCode, message: 'is not a valid CEP', length: 8 }

const hasTwoDecimals = (value: number) => Number(value.toFixed(2)) === value

const reais = (description: string, example: number) =>
  field(
    z.number().min(0).max(REAIS_MAX).refine(hasTwoDecimals, 'may have at most two decimals'),
    z.number().min(0).max(REAIS_MAX),
    { description, examples: [example] },
  )

const HOST_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,}$/

const isWebsite = (value: string): boolean => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const { hostname, username, password } = new URL(value)
  return HOST_NAME.test(hostname) && username === '' && password === ''
}

const NOT_IN_URIS = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g

// What no URI holds (RFC 3986), like letters beyond ASCII, is escaped. What needs no escapes stays as it was sent.
const asUri = (value: string): string =>
  value.search(NOT_IN_URIS) < 0 ? value : new URL(value).href.replaceAll(NOT_IN_URIS, encodeURIComponent)

const website = field(
  text(WEBSITE_MAX)
    .meta({ format: 'uri' })
    .refine(isWebsite, 'must be an http(s) URL with a host name')
    .transform(asUri)
    .pipe(z.string().max(WEBSITE_MAX)),
  urlView,
  { description: 'Address of the website, an http(s) URL.', examples: ['https://www.example.com.br'] },
)

const email = (description: string, example: string) =>
  field(emailSchema, emailView, { description, examples: [example] })

const complement = field(z.string().trim().max(120).optional().default(''), z.string().max(120), {
  description: 'Complement of the address; empty when it has none.',
  examples: ['Sala 52'],
})

const state = field(z.string().trim().toUpperCase().max(2).pipe(z.enum(STATES)), z.enum(STATES), {
  description: 'Two-letter state code.',
  examples: ['SP'],
})

const physical = field(z.boolean(), z.boolean(), {
  description: 'Whether physical goods are sold.',
  examples: [true],
})

const START_EXAMPLE = '2020-03-02T00:00:00.000Z'
const YEAR_MIN = 1900
const YEAR_MAX = 2200

const startDate = field(
  dateOrInstantText
    .meta({ examples: [START_EXAMPLE] })
    .transform((value) => new Date(value))
    .refine((date) => date.getUTCFullYear() >= YEAR_MIN && date.getUTCFullYear() < YEAR_MAX, 'is out of range'),
  timestampView,
  {
    description: 'Since when the representative is in office: an instant, or a date, which counts as midnight UTC.',
    examples: [START_EXAMPLE],
  },
)

/** What the seller tells about the company, in the order of the interface. */
const companyFields = {
  commercialName: line(120, 'Name shown to customers.', 'Loja da Maria'),
  invoiceName: line(120, 'Name on invoices and statements.', 'LOJA DA MARIA'),
  averageRevenue: reais('Average revenue per month, in reais with up to two decimals.', 150_000.5),
  averageTicket: reais('Average amount of one sale, in reais with up to two decimals.', 89.9),
  productsServices: line(2_000, 'Description of what is sold.', 'Clothes and shoes'),
  website,
  contactEmail: email('E-mail address for customers.', 'contato@example.com.br'),
  contactPhone: stripped(phoneRule, 'Phone for customers: national digits.', '11987654321'),
  sellsPhysicalProducts: physical,
  cnpj: stripped(cnpjRule, 'CNPJ, numeric or alphanumeric: 14 characters without mask.', '12ABC34501DE35'),
  companyName: line(160, 'Registered name.', 'Maria Silva Comércio Ltda'),
  tradeName: line(160, 'Trade name.', 'Loja da Maria'),
  phone: stripped(phoneRule, 'Phone of the company: national digits.', '1133334444'),
  email: email('E-mail address of the company.', 'empresa@example.com.br'),
  addressZipCode: stripped(zipCodeRule, 'CEP: 8 digits.', '01310100'),
  addressStreet: line(160, 'Street.', 'Avenida Paulista'),
  addressNumber: line(20, 'Number in the street, or S/N.', '1000'),
  addressComplement: complement,
  addressNeighborhood: line(120, 'Neighbourhood.', 'Bela Vista'),
  addressCity: line(120, 'City.', 'São Paulo'),
  addressState: state,
  legalRepName: line(160, 'Name of the legal representative.', 'Maria Silva'),
  legalRepCpf: stripped(cpfRule, 'CPF of the legal representative: 11 digits.', '52998224725'),
  legalRepRole: line(80, 'Role of the legal representative.', 'Sócia administradora'),
  legalRepStartDate: startDate,
  legalRepPhone: stripped(phoneRule, 'Phone of the legal representative: national digits.', '11987654321'),
  legalRepEmail: email('E-mail address of the legal representative.', 'maria@example.com.br'),
}

type Side<Name extends 'body' | 'view'> = {
  [Field in keyof typeof companyFields]: (typeof companyFields)[Field][Name]
}

const sideOf = <Name extends 'body' | 'view'>(name: Name): Side<Name> =>
  Object.fromEntries(Object.entries(companyFields).map(([key, both]) => [key, both[name]])) as Side<Name>

const draft = z
  .boolean()
  .optional()
  .meta({
    description:
      'True: keep the company as a draft, which nobody reviews; every field is needed all the same. Absent or false: submit it for approval.',
    examples: [false],
  })

export const companyBody = z
  .strictObject({ ...sideOf('body'), draft })
  .meta({ description: 'A company: the whole of it, also when it is changed.' })

/** Exactly the company of the interface, field for field and in its order. */
export const companyView = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the company.' }),
    userId: idSchema.meta({ description: 'The user the company is linked to.' }),
    ...sideOf('view'),
    createdAt: timestampView,
    updatedAt: timestampView,
    deletedAt: timestampView.nullable().meta({ description: 'Null while not deleted.', examples: [null] }),
    documents: z
      .array(documentView)
      .max(DOCUMENTS_PER_COMPANY_MAX)
      .meta({ description: 'The documents that were sent, oldest first, superseded ones included.' }),
  })
  .meta({ title: 'ApprovedCompany', description: 'A company.' })

const status = z.enum(COMPANY_STATUSES).meta({ description: 'State of the approval.', examples: ['awaiting_approval'] })

/** The company with the state of its approval. */
export const companyResponse = companyView
  .extend({
    status,
    rejectionReason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({
        description: 'Why it was rejected, suspended or sent back for changes; else null.',
        examples: [null],
      }),
  })
  .meta({ title: 'Company', description: 'A company with the state of its approval.' })

const masked = (description: string, example: string) =>
  z
    .string()
    .max(254)
    .meta({ description: `${description}, masked.`, examples: [example] })

/** The same as events carry it. */
export const companyEventResponse = companyResponse
  .extend({
    cnpj: masked('CNPJ', '**.ABC.345/****-**'),
    contactEmail: masked('E-mail address for customers', 'c***@example.com.br'),
    contactPhone: masked('Phone for customers', '(11) *****-4321'),
    phone: masked('Phone of the company', '(11) *****-4444'),
    email: masked('E-mail address of the company', 'e***@example.com.br'),
    legalRepCpf: masked('CPF of the legal representative', '***.982.247-**'),
    legalRepPhone: masked('Phone of the legal representative', '(11) *****-4321'),
    legalRepEmail: masked('E-mail address of the legal representative', 'm***@example.com.br'),
  })
  .meta({ description: 'A company with the state of its approval, personal data masked.' })

export const companiesResponse = listResponse(companyResponse, 'companies')

export const companiesQuery = listQuery({ status: repeatable(COMPANY_STATUSES) })

export type CompanyBody = z.output<typeof companyBody>
export type CompaniesQuery = z.output<typeof companiesQuery>
