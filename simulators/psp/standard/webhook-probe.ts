import type { Bank } from '../bank.ts'
import { type Attempt, isSuccess } from '../callback-caller.ts'

const PROBE = JSON.stringify({ evento: 'teste_webhook' })
const PROBE_TIMEOUT_MS = 10_000

const faultOf = (attempt: Attempt): string | undefined => {
  if (isSuccess(attempt)) return undefined
  if ('status' in attempt) return `A URL informada respondeu com o código HTTP ${attempt.status}`
  return `A requisição na URL informada falhou com o erro: ${attempt.error}`
}

/**
 * What Efí does before it registers an address: it posts to the address itself, without `/pix`, and expects success; and,
 * unless it is asked to skip that, it posts without its certificate and expects to be refused. Answers what is wrong.
 */
export const probeWebhook = async (
  { caller }: Bank,
  url: string,
  isWithoutTls: boolean,
): Promise<string | undefined> => {
  if (!isWithoutTls) {
    const attempt = await caller.call(url, PROBE, { timeoutMs: PROBE_TIMEOUT_MS, isAnonymous: true })
    if (isSuccess(attempt)) return 'A autenticação de TLS mútuo não está configurada na URL informada'
  }
  return faultOf(await caller.call(url, PROBE, { timeoutMs: PROBE_TIMEOUT_MS }))
}
