const TYPE = 'https://pix.bcb.gov.br/api/v2/error/'

export type Violation = { razao: string; propriedade: string; valor?: string }

type ProblemOptions = { status: number; detail: string; title?: string; violations?: readonly Violation[] }

/** An answer that is no success, in the form of RFC 7807 that the Central Bank's document prescribes. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly type: string
  readonly options: ProblemOptions

  /** `type` is the last part of the URI that the standard lists, such as `CobNaoEncontrado`. */
  constructor(type: string, options: ProblemOptions) {
    super(options.detail)
    this.type = type
    this.options = options
  }
}

/** A refusal in the form that Efí's own operations use: a name and a sentence. */
export class EfiRefusal extends Error {
  override readonly name = 'EfiRefusal'
  readonly status: number
  readonly body: { nome: string; mensagem: string }

  constructor(status: number, nome: string, mensagem: string) {
    super(mensagem)
    this.status = status
    this.body = { nome, mensagem }
  }
}

/** A refusal of the token endpoint, in the form of RFC 6749. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal'
  readonly status: number
  readonly body: { error: string; error_description: string }

  constructor(status: number, error: string, description: string) {
    super(description)
    this.status = status
    this.body = { error, error_description: description }
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Requisição inválida.',
  401: 'Não autorizado',
  403: 'Acesso Negado',
  404: 'Não Encontrado',
  409: 'Operação inválida.',
  410: 'Permanentemente Removido',
  422: 'Operação inválida.',
  429: 'Limite de requisições excedido',
  500: 'Erro Interno do Servidor',
  503: 'Serviço Indisponível',
  504: 'Tempo Esgotado',
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'RequisicaoInvalida',
  401: 'AcessoNegado',
  403: 'AcessoNegado',
  404: 'NaoEncontrado',
  410: 'PermanentementeRemovido',
  429: 'LimiteDeRequisicoesExcedido',
  500: 'ErroInternoDoServidor',
  503: 'ServicoIndisponivel',
  504: 'IndisponibilidadePorTempoEsgotado',
}

export const problemBody = ({ type, options }: Problem): Record<string, unknown> => ({
  type: `${TYPE}${type}`,
  title: options.title ?? TITLES[options.status] ?? 'Erro',
  status: options.status,
  detail: options.detail,
  ...(options.violations === undefined ? {} : { violacoes: options.violations }),
})

/** The general error of a status, where no operation has one of its own. */
export const generalProblem = (status: number): Problem => {
  const type = TYPES[status] ?? (status < 500 ? 'RequisicaoInvalida' : 'ErroInternoDoServidor')
  return new Problem(type, { status, detail: `A requisição não pôde ser atendida: ${TITLES[status] ?? status}.` })
}

const INVALID: Readonly<Record<string, { title: string; detail: string }>> = {
  CobOperacaoInvalida: {
    title: 'Cobrança inválida.',
    detail:
      'A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o schema ou está semanticamente errada.',
  },
  CobVOperacaoInvalida: {
    title: 'Cobrança inválida.',
    detail:
      'A requisição que busca alterar ou criar uma cobrança com vencimento não respeita o schema ou está semanticamente errada.',
  },
  PixDevolucaoInvalida: {
    title: 'Devolução inválida.',
    detail: 'A presente requisição de devolução não respeita o schema ou não faz sentido semanticamente.',
  },
  WebhookOperacaoInvalida: {
    title: 'Webhook inválido.',
    detail:
      'A presente requisição busca criar um webhook sem respeitar o schema ou com sentido semanticamente inválido.',
  },
  PayloadLocationOperacaoInvalida: {
    title: 'PayloadLocation inválido.',
    detail: 'A presente requisição busca criar uma location sem respeitar o schema estabelecido.',
  },
}

const DEFAULT_INVALID = {
  title: 'Requisição inválida.',
  detail: 'Os parâmetros não respeitam o schema ou não fazem sentido semanticamente.',
}

/** A request that breaks a rule: 400, or what else the PSP answers in this case, with the rules that it breaks. */
export const invalid = (type: string, violations: readonly Violation[], status = 400): Problem =>
  new Problem(type, { status, ...(INVALID[type] ?? DEFAULT_INVALID), violations })

export const violation = (propriedade: string, razao: string): Violation => ({ razao, propriedade })

export const notFound = (type: string, detail: string): Problem => new Problem(type, { status: 404, detail })
