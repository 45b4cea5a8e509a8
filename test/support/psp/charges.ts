import { randomUUID } from 'node:crypto'
import type { PspAnswer, PspClient } from './client.ts'

export const newTxid = (): string => randomUUID().replaceAll('-', '')

const DAY_MS = 86_400_000

/** Days around now, as lists want them. */
export const period = (daysBack = 1, daysAhead = 1): { inicio: string; fim: string } => ({
  inicio: new Date(Date.now() - daysBack * DAY_MS).toISOString(),
  fim: new Date(Date.now() + daysAhead * DAY_MS).toISOString(),
})

/** What a request for an immediate charge says. */
export const chargeBody = (client: PspClient, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  calendario: { expiracao: 3_600 },
  devedor: { cpf: '52998224725', nome: 'Maria Souza' },
  valor: { original: '37.00' },
  chave: client.key,
  solicitacaoPagador: 'Pedido 77',
  ...changes,
})

/** What a request for a charge with a due date says. */
export const dueChargeBody = (
  client: PspClient,
  dueDate: string,
  value: Record<string, unknown> = {},
): Record<string, unknown> => ({
  calendario: { dataDeVencimento: dueDate, validadeAposVencimento: 30 },
  devedor: {
    cpf: '52998224725',
    nome: 'Maria Souza',
    logradouro: 'Rua A, 1',
    cidade: 'Recife',
    uf: 'PE',
    cep: '70011750',
  },
  valor: { original: '100.00', ...value },
  chave: client.key,
})

/** Makes an immediate charge. Throws where it is refused. */
export const charge = async (client: PspClient, changes: Record<string, unknown> = {}): Promise<string> => {
  const txid = newTxid()
  const answer = await client.call('PUT', `/cob/${txid}`, chargeBody(client, changes))
  if (answer.status !== 201) throw new Error(`no charge: ${JSON.stringify(answer.body)}`)
  return txid
}

/** The rules that an answer says were broken, as `field`. */
export const violatedFields = ({ body }: PspAnswer): string[] =>
  (body.violacoes ?? []).map(({ propriedade }) => propriedade)
