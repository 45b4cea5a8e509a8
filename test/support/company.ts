import { randomBytes, randomInt } from 'node:crypto'

const digit = (values: readonly number[], weights: readonly number[]): number => {
  const rest = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}

/** A random CNPJ with right check digits. */
export const newCnpj = (): string => {
  const root = Array.from({ length: 8 }, () => randomInt(10))
  const values = [...root, 0, 0, 0, 1]
  const first = digit(values, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
  const second = digit([...values, first], [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
  return [...values, first, second].join('')
}

/** What creates or replaces a company. */
export const companyBody = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  commercialName: 'Padaria da Maria',
  invoiceName: 'PADARIA MARIA',
  averageRevenue: 150_000.5,
  averageTicket: 39.9,
  productsServices: 'Pães, bolos e cafés',
  website: 'https://www.padaria.com.br',
  contactEmail: 'contato@padaria.com.br',
  contactPhone: '(11) 98765-4321',
  sellsPhysicalProducts: true,
  cnpj: newCnpj(),
  companyName: 'Maria da Silva Pães Ltda',
  tradeName: 'Padaria da Maria',
  phone: '1133334444',
  email: 'empresa@padaria.com.br',
  addressZipCode: '01310-100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressComplement: 'Sala 52',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  legalRepName: 'Maria da Silva',
  legalRepCpf: '529.982.247-25',
  legalRepRole: 'Sócia administradora',
  legalRepStartDate: '2020-03-02T00:00:00.000Z',
  legalRepPhone: '11987654321',
  legalRepEmail: 'maria@padaria.com.br',
  ...overrides,
})

const PNG_HEAD =
  '89504e470d0a1a0a0000000d4948445200000001000000010806000000' +
  '1f15c4890000000d49444154789c6360000000000500017a5eab3f0000000049454e44ae426082'

export const pdfBytes = (size = 200): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])
export const pngBytes = (): Buffer => Buffer.from(PNG_HEAD, 'hex')
export const jpegBytes = (): Buffer =>
  Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), randomBytes(200)])

export type FormFile = { type?: string; name?: string; bytes?: Buffer }

/** A form of documents: by default one PDF. */
export const documentForm = (files: readonly FormFile[] = [{}]): FormData => {
  const form = new FormData()
  for (const { type = 'cnpj_card', name = 'cartao.pdf', bytes = pdfBytes() } of files) {
    if (type !== '') form.append('type', type)
    form.append('file', new Blob([new Uint8Array(bytes)]), name)
  }
  return form
}
