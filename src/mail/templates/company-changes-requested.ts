import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { companyName: string; reason: string | null }

/** To a seller whose company must be changed before it can be approved. */
export const companyChangesRequested = template<Facts>('company', {
  pt: ({ companyName, reason }) => ({
    subject: `Falta um ajuste em ${companyName}`,
    body: [
      paragraph(`Para aprovar a empresa ${companyName}, precisamos de um ajuste.`),
      facts(['O que mudar', reason]),
      paragraph('Depois da mudança, a empresa volta sozinha para a análise.'),
    ],
  }),
  en: ({ companyName, reason }) => ({
    subject: `${companyName} needs a change`,
    body: [
      paragraph(`Before we can approve the company ${companyName}, something has to be changed.`),
      facts(['What to change', reason]),
      paragraph('Once it is changed, the company is reviewed again by itself.'),
    ],
  }),
})
