import type { Readable } from 'node:stream'
import { hashSecret, sameHash } from '../../crypto/opaque-tokens.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Language } from '../../domain/language.ts'
import { paymentCode } from '../../domain/payment-code.ts'
import { SANDBOX } from '../../providers/sandbox/sandbox.provider.ts'
import type { Reads } from '../../repositories.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import type { Payment } from '../payments/payments.repository.ts'
import type { PaymentsService } from '../payments/payments.service.ts'
import { type BoletoSize, boletoPdf } from './boleto.pdf.ts'
import { boletoSheet } from './boleto.sheet.ts'

type Dependencies = {
  read: Pick<Reads, 'branding' | 'payments' | 'companies'>
  findPayment: PaymentsService['find']
}

export type BoletoFormat = { size: BoletoSize; language: Language }
export type BoletoFile = { fileName: string; pdf: Readable }

// The address of the printed boleto ends in its token, and is kept with the payment.
const isItsToken = ({ boletoPdfUrl }: Payment, token: string): boolean =>
  sameHash(hashSecret(boletoPdfUrl?.split('/').at(-1) ?? ''), hashSecret(token)) && token !== ''

/** Printed boletos, for their payers and for sellers. */
export const createBoletosService = ({ read, findPayment }: Dependencies) => {
  const print = async (payment: Payment, { size, language }: BoletoFormat): Promise<BoletoFile> => {
    const payee = await read.companies.findPayee(payment.sellerId)
    invariant(payee !== undefined, 'a payment has no seller')
    const { color } = await read.branding.find(payment.sellerId)
    const sheet = boletoSheet(payment, payee, { language, isTest: payment.provider === SANDBOX, color })
    if (sheet === undefined) throw paymentErrors.no_boleto()
    return { fileName: `boleto-${paymentCode(payment.id)}.pdf`, pdf: boletoPdf(sheet, size, payment.createdAt) }
  }

  return {
    /** For whoever was given the address. Throws payment.not_found, also for a wrong token, and payment.no_boleto. */
    async open(id: string, token: string, format: BoletoFormat): Promise<BoletoFile> {
      const payment = await read.payments.findAnywhere(id)
      if (payment === undefined || !isItsToken(payment, token)) throw paymentErrors.not_found()
      return print(payment, format)
    },

    /** For the seller. Throws payment.not_found and payment.no_boleto. */
    async get({ sellerId }: Actor, id: string, format: BoletoFormat): Promise<BoletoFile> {
      const payment = await findPayment({ sellerId, id })
      if (payment === undefined) throw paymentErrors.not_found()
      return print(payment, format)
    },
  }
}

export type BoletosService = ReturnType<typeof createBoletosService>
