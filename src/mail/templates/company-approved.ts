import { paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { companyName: string }

/** To a seller whose company was approved, or may sell again after a suspension. */
export const companyApproved = template<Facts>('company', {
  pt: ({ companyName }) => ({
    subject: `${companyName} está aprovada`,
    body: [paragraph(`A empresa ${companyName} está aprovada: a partir de agora ela pode receber pagamentos e sacar.`)],
  }),
  en: ({ companyName }) => ({
    subject: `${companyName} is approved`,
    body: [paragraph(`The company ${companyName} is approved: from now on it can receive payments and withdraw.`)],
  }),
})
