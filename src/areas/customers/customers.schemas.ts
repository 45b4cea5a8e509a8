import { z } from 'zod'
import { isPhone, isZipCode, STATES, stripPhone, stripZipCode } from '../../domain/contact.ts'
import { isCnpj, isCpf, stripTaxId } from '../../domain/tax-id.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { emailSchema, emailView, idSchema, metadataSchema, text, timestampView } from '../../http/primitives.schemas.ts'

const DOCUMENT_TYPES = ['cpf', 'cnpj'] as const
const NAME_MAX = 120
const REFERENCE_MAX = 100
const MASKED_MAX = 40

// A mask is welcome on the way in and never kept: 529.982.247-25 is stored as 52998224725.
const stripped = (strip: (value: string) => string, isValid: (value: string) => boolean, message: string) =>
  z.string().trim().min(1).max(MASKED_MAX).transform(strip).pipe(z.string().refine(isValid, message))

const isTaxId = (value: string): boolean => isCpf(value) || isCnpj(value)

const line = (max: number, description: string, example: string) => text(max).meta({ description, examples: [example] })

const stateField = z
  .string()
  .trim()
  .toUpperCase()
  .max(2)
  .pipe(z.enum(STATES))
  .meta({ description: 'Two-letter state code.', examples: ['SP'] })

const addressBody = z
  .strictObject({
    zipCode: stripped(stripZipCode, isZipCode, 'is not a valid CEP').meta({
      description: 'CEP, with or without its mask.',
      examples: ['01310-100'],
    }),
    street: line(160, 'Street.', 'Avenida Paulista'),
    number: line(20, 'Number in the street, or S/N.', '1000'),
    complement: line(120, 'Complement of the address.', 'Apto 52').nullish(),
    neighborhood: line(120, 'Neighbourhood.', 'Bela Vista'),
    city: line(120, 'City.', 'São Paulo'),
    state: stateField,
  })
  .transform((address) => ({ ...address, complement: address.complement ?? null }))
  .meta({ description: 'Address in Brazil.' })

type Documented = { document?: string | null | undefined; documentType?: 'cpf' | 'cnpj' | null | undefined }

const typeOf = (document: string): 'cpf' | 'cnpj' => (isCpf(document) ? 'cpf' : 'cnpj')

// Left out, the type follows the document; named, it has to be the right one. A document that is none is a fault already.
const typeMatches = ({ document, documentType }: Documented): boolean =>
  documentType == null || (document != null && (!isTaxId(document) || documentType === typeOf(document)))

/** A customer: the whole of one, also when they are changed. What is left out is taken away. */
export const customerBody = z
  .strictObject({
    name: line(NAME_MAX, 'Name of the person or company.', 'Francisco da Silva'),
    email: emailSchema.nullish().meta({ description: 'E-mail address.', examples: ['francisco@example.com'] }),
    document: stripped(stripTaxId, isTaxId, 'is neither a valid CPF nor a valid CNPJ')
      .nullish()
      .meta({ description: 'CPF or CNPJ, with or without its mask.', examples: ['529.982.247-25'] }),
    documentType: z
      .enum(DOCUMENT_TYPES)
      .nullish()
      .meta({ description: 'What the document is. Left out, the document tells.', examples: ['cpf'] }),
    phone: stripped(stripPhone, isPhone, 'is not a Brazilian phone number')
      .nullish()
      .meta({
        description: 'Brazilian phone with area code. Masks and +55 are dropped.',
        examples: ['(11) 91234-5678'],
      }),
    address: addressBody.nullish(),
    externalReference: line(REFERENCE_MAX, 'Your own name for the customer.', 'client-77').nullish(),
    metadata: metadataSchema.optional(),
  })
  .refine(typeMatches, { path: ['documentType'], message: 'does not match the document' })
  .transform(({ name, email, document, phone, address, externalReference, metadata }) => ({
    name,
    email: email ?? null,
    document: document ?? null,
    documentType: document == null ? null : typeOf(document),
    phone: phone ?? null,
    address: address ?? null,
    externalReference: externalReference ?? null,
    metadata: metadata ?? {},
  }))
  .meta({ description: 'A customer: the whole of one, also when they are changed.' })

const shown = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .nullable()
    .meta({ description, examples: [example] })

const addressView = z
  .object({
    zipCode: z
      .string()
      .max(8)
      .meta({ description: 'CEP: 8 digits.', examples: ['01310100'] }),
    street: z
      .string()
      .max(160)
      .meta({ description: 'Street.', examples: ['Avenida Paulista'] }),
    number: z
      .string()
      .max(20)
      .meta({ description: 'Number in the street, or S/N.', examples: ['1000'] }),
    complement: shown(120, 'Complement of the address.', 'Apto 52'),
    neighborhood: z
      .string()
      .max(120)
      .meta({ description: 'Neighbourhood.', examples: ['Bela Vista'] }),
    city: z
      .string()
      .max(120)
      .meta({ description: 'City.', examples: ['São Paulo'] }),
    state: z.enum(STATES).meta({ description: 'Two-letter state code.', examples: ['SP'] }),
  })
  .meta({ title: 'Address', description: 'Address in Brazil.' })

export const customerResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'The seller whose customer this is.' }),
    name: z
      .string()
      .max(NAME_MAX)
      .meta({ description: 'Name of the person or company.', examples: ['Francisco da Silva'] }),
    email: emailView.nullable(),
    document: shown(14, 'CPF or CNPJ without its mask.', '52998224725'),
    documentType: z
      .enum(DOCUMENT_TYPES)
      .nullable()
      .meta({ description: 'What the document is.', examples: ['cpf'] }),
    phone: shown(11, 'National digits.', '11912345678'),
    address: addressView.nullable(),
    externalReference: shown(REFERENCE_MAX, 'Your own name for the customer.', 'client-77'),
    metadata: metadataSchema,
    createdAt: timestampView,
    updatedAt: timestampView,
    deletedAt: timestampView
      .nullable()
      .meta({ description: 'When the customer was deleted. Null while they are not.', examples: [null] }),
  })
  .meta({ title: 'Customer', description: 'A customer.' })

export const customersResponse = listResponse(customerResponse, 'customers')

const filters = {
  externalReference: text(REFERENCE_MAX)
    .optional()
    .meta({ description: 'Exactly this reference.', examples: ['client-77'] }),
  search: text(100)
    .optional()
    .meta({
      description: 'Part of the name, the e-mail address or the document, masked or not.',
      examples: ['francisco'],
    }),
}

export const customersQuery = listQuery(filters, { cursors: true })

export type CustomerBody = z.output<typeof customerBody>
export type CustomersQuery = z.output<typeof customersQuery>
