import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { companyName: string; reason: string | null }

/** To a seller whose company was rejected. */
export const companyRejected = template<Facts>('company', {
  pt: ({ companyName, reason }) => ({
    subject: `${companyName} não foi aprovada`,
    body: [
      paragraph(`Analisamos a empresa ${companyName} e não pudemos aprová-la.`),
      facts(['Motivo', reason]),
      paragraph('Se os dados estiverem errados, corrija-os: a empresa volta para a análise.'),
    ],
  }),
  en: ({ companyName, reason }) => ({
    subject: `${companyName} was not approved`,
    body: [
      paragraph(`We reviewed the company ${companyName} and could not approve it.`),
      facts(['Reason', reason]),
      paragraph('If its data are wrong, correct them: the company is then reviewed again.'),
    ],
  }),
})
