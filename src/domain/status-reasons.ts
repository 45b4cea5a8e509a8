/**
 * What a payer can do about it: try another card or method, type the card in again, try the same once more later, or
 * nothing, because it is not known yet what became of it and a second charge might be one too many.
 */
export type Retry = 'another_card' | 'new_token' | 'later' | 'another_method' | 'not_yet' | 'no'

type StatusReason = { retry: Retry; pt: string; en: string }

/** Why a payment stands where it stands, by code: what its payer is told, in both languages, and whether to try again. */
export const STATUS_REASONS = {
  card_denied: {
    retry: 'another_card',
    pt: 'O banco não autorizou. Fale com ele ou use outro cartão.',
    en: 'Your bank declined. Call it, or use another card.',
  },
  card_expired: {
    retry: 'another_card',
    pt: 'O cartão venceu. Use outro.',
    en: 'The card has expired. Use another one.',
  },
  card_blocked: {
    retry: 'another_card',
    pt: 'O cartão está bloqueado. Fale com o banco ou use outro.',
    en: 'The card is blocked. Call your bank, or use another one.',
  },
  card_canceled: {
    retry: 'another_card',
    pt: 'O cartão foi cancelado. Use outro.',
    en: 'The card was canceled. Use another one.',
  },
  card_problem: {
    retry: 'later',
    pt: 'Houve um problema com o cartão. Tente de novo em instantes.',
    en: 'There was a problem with the card. Try again in a moment.',
  },
  card_token_unknown: {
    retry: 'new_token',
    pt: 'Digite os dados do cartão outra vez.',
    en: 'Type the card in again.',
  },
  provider_refused: {
    retry: 'another_method',
    pt: 'O pagamento não foi aceito. Escolha outra forma de pagar.',
    en: 'The payment was not accepted. Choose another way to pay.',
  },
  provider_away: {
    retry: 'later',
    pt: 'O pagamento não está disponível agora. Tente de novo em alguns minutos.',
    en: 'Paying is not possible right now. Try again in a few minutes.',
  },
  provider_busy: {
    retry: 'later',
    pt: 'O pagamento não está disponível agora. Tente de novo em alguns minutos.',
    en: 'Paying is not possible right now. Try again in a few minutes.',
  },
  provider_timeout: {
    retry: 'not_yet',
    pt: 'Estamos confirmando o seu pagamento. Não pague outra vez.',
    en: 'We are confirming your payment. Do not pay again.',
  },
  provider_unreachable: {
    retry: 'not_yet',
    pt: 'Estamos confirmando o seu pagamento. Não pague outra vez.',
    en: 'We are confirming your payment. Do not pay again.',
  },
  underpaid: {
    retry: 'no',
    pt: 'O valor pago é menor que o pedido. Fale com a loja.',
    en: 'Less was paid than was asked for. Talk to the shop.',
  },
} as const satisfies Readonly<Record<string, StatusReason>>

export type StatusReasonCode = keyof typeof STATUS_REASONS

/** What each answer to "try again?" says, for documents. */
export const RETRIES: Readonly<Record<Retry, string>> = {
  another_card: 'with another card',
  new_token: 'with a new token',
  later: 'later',
  another_method: 'by another method',
  not_yet: 'no: the outcome is not known yet',
  no: 'no',
}

/** All codes on a line, each with whether to try again. */
export const describeStatusReasons = (): string =>
  Object.entries(STATUS_REASONS)
    .map(([code, { retry }]) => `\`${code}\` (try again: ${RETRIES[retry]})`)
    .join(', ')
