import { z } from 'zod'
import { isCalendarDate } from '../../../src/domain/calendar.ts'
import { isCnpj, isCpf } from '../../../src/domain/tax-id.ts'

export const txidSchema = z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'deve ter de 26 a 35 letras e dígitos')

/** An amount as the standard writes it: `37.00`. */
export const amountText = z.string().regex(/^\d{1,10}\.\d{2}$/, 'deve ter o formato 0.00')
const positiveAmount = amountText.refine((text) => Number(text) > 0, 'deve ser maior que zero')

const cpf = z.string().refine(isCpf, 'não é um CPF válido')
const cnpj = z.string().refine(isCnpj, 'não é um CNPJ válido')
const nome = z.string().min(1).max(200)
const address = {
  email: z.string().max(200).optional(),
  logradouro: z.string().max(200).optional(),
  cidade: z.string().max(200).optional(),
  uf: z.string().max(2).optional(),
  cep: z.string().max(8).optional(),
}

const debtor = z.union([z.strictObject({ cpf, nome }), z.strictObject({ cnpj, nome })])
const debtorWithAddress = z.union([
  z.strictObject({ cpf, nome, ...address }),
  z.strictObject({ cnpj, nome, ...address }),
])

const date = z.string().refine(isCalendarDate, 'não é uma data no formato YYYY-MM-DD')
const expiry = z.strictObject({ expiracao: z.int().min(1).max(2_147_483_647).default(86_400) })
const dueDate = z.strictObject({
  dataDeVencimento: date,
  validadeAposVencimento: z.int().min(0).max(3_650).default(30),
})

const value = z.strictObject({ original: positiveAmount, modalidadeAlteracao: z.int().min(0).max(1).optional() })

const kindAndRate = (kindMax: number) =>
  z.strictObject({ modalidade: z.int().min(1).max(kindMax), valorPerc: positiveAmount })

const fixedDateDiscount = z.strictObject({
  modalidade: z.int().min(1).max(2),
  descontoDataFixa: z
    .array(z.strictObject({ data: date, valorPerc: positiveAmount }))
    .min(1)
    .max(3),
})
const dailyDiscount = z.strictObject({ modalidade: z.int().min(3).max(6), valorPerc: positiveAmount })

/** What is owed, and what the date of payment adds or takes away. The kinds are those of the standard's tables. */
export const dueValue = z.strictObject({
  original: positiveAmount,
  multa: kindAndRate(2).optional(),
  juros: kindAndRate(8).optional(),
  abatimento: kindAndRate(2).optional(),
  desconto: z.union([fixedDateDiscount, dailyDiscount]).optional(),
})

export type DueValue = z.infer<typeof dueValue>

const common = {
  chave: z.string().min(1).max(77),
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.strictObject({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
}
const loc = z.strictObject({ id: z.int().min(1), tipoCob: z.enum(['cob', 'cobv']).optional() }).optional()
const removal = z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional()

export const chargeBody = z.strictObject({
  ...common,
  calendario: expiry,
  devedor: debtor.optional(),
  valor: value,
  loc,
})

export const dueChargeBody = z.strictObject({
  ...common,
  calendario: dueDate,
  devedor: debtorWithAddress,
  valor: dueValue,
  loc,
})

// Without the defaults, which would overwrite what nobody wants to change.
const expiryChange = z.strictObject({ expiracao: z.int().min(1).max(2_147_483_647).optional() })
const dueDateChange = z.strictObject({
  dataDeVencimento: date.optional(),
  validadeAposVencimento: z.int().min(0).max(3_650).optional(),
})

export const chargeChange = z.strictObject({
  ...common,
  chave: common.chave.optional(),
  calendario: expiryChange.optional(),
  devedor: debtor.optional(),
  valor: value.partial().optional(),
  loc,
  status: removal,
})

export const dueChargeChange = z.strictObject({
  ...common,
  chave: common.chave.optional(),
  calendario: dueDateChange.optional(),
  devedor: debtorWithAddress.optional(),
  valor: dueValue.partial().optional(),
  loc,
  status: removal,
})

export type ChargeContent = Omit<z.infer<typeof chargeBody>, 'loc'>
export type DueChargeContent = Omit<z.infer<typeof dueChargeBody>, 'loc'>
export type ChargeBody = z.infer<typeof chargeBody> | z.infer<typeof dueChargeBody>
export type ChargeChange = z.infer<typeof chargeChange> | z.infer<typeof dueChargeChange>
