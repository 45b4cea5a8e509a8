/**
 * What a payer can do about it: try another card or method, type the card in again, begin another payment, try the same
 * once more later, or nothing, because it is not known yet what became of it and a second charge might be one too many.
 */
export type Retry = 'another_card' | 'new_token' | 'new_payment' | 'later' | 'another_method' | 'not_yet' | 'no'

type StatusReason = { retry: Retry; pt: string; en: string }

// The platform's account or its request is at fault, and no payer can mend that.
const NO_PIX = {
  retry: 'another_method',
  pt: 'O Pix não pôde ser gerado. Escolha outra forma de pagar.',
  en: 'The Pix could not be made. Choose another way to pay.',
} as const

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
  pix_refused: NO_PIX,
  pix_conflict: NO_PIX,
  pix_missing: NO_PIX,
  pix_acesso_negado: NO_PIX,
  pix_insufficient_scope: NO_PIX,
  pix_chave_invalida: NO_PIX,
  pix_cob_operacao_invalida: NO_PIX,
  pix_cob_voperacao_invalida: NO_PIX,
  pix_documento_bloqueado: NO_PIX,
  pix_requisicao_invalida: NO_PIX,
  pix_txid_of_another_charge: NO_PIX,
  pix_valor_invalido: NO_PIX,
  method_not_served: {
    retry: 'another_method',
    pt: 'Esta forma de pagar não está disponível. Escolha outra.',
    en: 'This way to pay is not available. Choose another one.',
  },
  payment_expired: {
    retry: 'new_payment',
    pt: 'O prazo para pagar acabou. Comece outra vez.',
    en: 'The time to pay is over. Begin again.',
  },
  payer_without_document: {
    retry: 'new_payment',
    pt: 'Informe o CPF ou CNPJ e comece outra vez.',
    en: 'Tell your CPF or CNPJ, and begin again.',
  },
} as const satisfies Readonly<Record<string, StatusReason>>

export type StatusReasonCode = keyof typeof STATUS_REASONS

/** What each answer to "try again?" says, for documents. */
export const RETRIES: Readonly<Record<Retry, string>> = {
  another_card: 'with another card',
  new_token: 'with a new token',
  new_payment: 'with a new payment',
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
