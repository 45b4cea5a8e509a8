/**
 * What a PSP says where it says no: RFC 7807 with the Central Bank's types and `violacoes`, Efí's older `nome` and
 * `mensagem`, OAuth's `error`. Types become the names that they are, broken rules the names of our fields. Sentences
 * are looked at and never kept, because they quote names, CPFs and keys.
 */
import { z } from 'zod'
import type { Field } from '../outcome.ts'

const text = z.string().max(2_000).nullish().catch(undefined)

const violation = z.object({ razao: text, propriedade: text }).catch({})

const body = z.object({
  type: text,
  title: text,
  detail: text,
  nome: text,
  mensagem: text,
  error: text,
  message: text,
  violacoes: z.array(violation).max(100).nullish().catch(undefined),
})

export type Problem = {
  /** The last part of the standard's type, Efí's `nome` or OAuth's `error`; null where there is none. */
  name: string | null
  /** Whether it says that there is no such thing. */
  saysMissing: boolean
  /** Whether it says that an id is taken, or that a state does not allow this. */
  saysConflict: boolean
  fields: readonly Field[]
}

const STANDARD_TYPE = /\/([A-Za-z]{3,60})$/
const NAME = /^[a-z_]{3,60}$/

const nameOf = ({ type, nome, error }: z.infer<typeof body>): string | null => {
  const [, standard] = STANDARD_TYPE.exec(type ?? '') ?? []
  const own = [nome, error].find((name) => NAME.test(name ?? ''))
  return standard ?? own ?? null
}

const MISSING_NAME = /n[aã]o_?encontrad[oa]s?$/i
const MISSING_TITLE = /^n[ãa]o encontrad[oa]/i
const CONFLICT_NAME = /duplicad[oa]$|^status_\w+_invalido$/
/** As the standard's rules and Efí's sentences have it: an id is in use, the charge exists, or is not ATIVA any more. */
const CONFLICT_SENTENCE =
  /j[áa] (?:foi |est[áa] |se encontra )?(?:sendo )?(?:utilizad|usad|criad|exist|cadastrad)|encontra-se em uso|duplicad|n[ãa]o est[áa] (?:mais )?(?:\w+ ){0,3}ATIVA/i

/** From the most to the least exact. A property is `cob.valor.original`, `body.valor`, `devedor.cpf`. */
const FIELDS: readonly (readonly [RegExp, Field])[] = [
  [/\bloc\b|location/, 'location'],
  [/\bmulta\b/, 'fine'],
  [/\bjuros\b/, 'interest'],
  [/\babatimento\b/, 'rebate'],
  [/\bdesconto\b/, 'discount'],
  [/\bfavorecido\b/, 'recipient'],
  [/\bdevedor\.(?:cpf|cnpj)\b/, 'payer.document'],
  [/\bdevedor\.nome\b/, 'payer.name'],
  [/\bdevedor\.(?:logradouro|cidade|uf|cep|email)\b/, 'payer.address'],
  [/\bdevedor\b/, 'payer'],
  [/\bdataDeVencimento\b/, 'dueDate'],
  [/\b(?:expiracao|validadeAposVencimento)\b/, 'expiry'],
  [/\bvalor\b/, 'amount'],
  [/\bchave\b/, 'key'],
  [/\bsolicitacaoPagador\b|\binfoPagador\b/, 'message'],
  [/\binfoAdicionais\b/, 'details'],
  [/\b(?:natureza|descricao)\b/, 'description'],
  [/\b(?:analise|justificativa)\b/, 'defence'],
  [/\bwebhookUrl\b/, 'url'],
  [/\bdataMovimento\b/, 'date'],
  [/\be2e\w*\b/i, 'endToEndId'],
  [/\bpaginacao\b/, 'page'],
  [/\b(?:inicio|fim)\b/, 'period'],
  [/\bstatus\b/, 'status'],
  [/\btxid\b|\bid\w*\b/i, 'id'],
]

const fieldOf = (property: string): Field | undefined => FIELDS.find(([pattern]) => pattern.test(property))?.[1]

/** Properties inside of a sentence: `Campo valor.original deve ser maior que zero`. */
const PROPERTY_IN_SENTENCE = /\b[a-z][A-Za-z]+(?:\.[a-z][A-Za-z]+)+\b/g

const fieldsOf = ({ violacoes, mensagem }: z.infer<typeof body>): Field[] => {
  const named = (violacoes ?? []).map(({ propriedade }) => propriedade ?? '')
  const told = mensagem?.match(PROPERTY_IN_SENTENCE) ?? []
  return [...new Set([...named, ...told].flatMap((property) => fieldOf(property) ?? []))]
}

const saysConflict = (parsed: z.infer<typeof body>, name: string | null): boolean => {
  if (CONFLICT_NAME.test(name ?? '')) return true
  // That another charge has the location is no word about this charge.
  const reasons = (parsed.violacoes ?? []).filter(({ propriedade }) => fieldOf(propriedade ?? '') !== 'location')
  const sentences = [parsed.detail, parsed.mensagem, ...reasons.map(({ razao }) => razao)]
  return sentences.some((sentence) => CONFLICT_SENTENCE.test(sentence ?? ''))
}

const saysMissing = ({ type, title }: z.infer<typeof body>, name: string | null): boolean =>
  name === null ? type == null && MISSING_TITLE.test(title ?? '') : MISSING_NAME.test(name)

const parse = (answer: string): unknown => {
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}

/** Reads an answer of 4xx. Undefined where it is no PSP's word: a proxy's page, an empty body, JSON of another kind. */
export const readProblem = (answer: string): Problem | undefined => {
  const { success, data } = body.safeParse(parse(answer))
  if (!success || Object.values(data).every((value) => value == null)) return undefined
  const name = nameOf(data)
  return { name, saysMissing: saysMissing(data, name), saysConflict: saysConflict(data, name), fields: fieldsOf(data) }
}

/** What types mean, in our own words: those that an operator can act on. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['AcessoNegado', 'The account may not do this.'],
  ['CobConsultaInvalida', 'The query is not acceptable.'],
  ['CobOperacaoInvalida', 'The charge is not acceptable.'],
  ['CobVConsultaInvalida', 'The query is not acceptable.'],
  ['CobVOperacaoInvalida', 'The charge with a due date is not acceptable.'],
  ['ExtratoConciliacaoConsultaInvalida', 'The statement cannot be made.'],
  ['InfracaoOperacaoInvalida', 'The defence is not acceptable.'],
  ['InfracoesConsultaInvalida', 'The query is not acceptable.'],
  ['PermanentementeRemovido', 'It was there and has been removed for good.'],
  ['PixConsultaInvalida', 'The query is not acceptable.'],
  ['PixDevolucaoInvalida', 'The refund is not acceptable.'],
  ['RequisicaoInvalida', 'The request is not acceptable.'],
  ['WebhookOperacaoInvalida', 'The address for callbacks is not acceptable.'],
  ['chave_invalida', 'The Pix key is not one of the account.'],
  ['chave_nao_pertence_ao_documento', 'The Pix key belongs to another person or company.'],
  ['documento_bloqueado', 'The account is blocked.'],
  ['insufficient_scope', 'The account may not do this.'],
  ['pagamento_negado', 'The payout was denied by the PSP’s analysis.'],
  ['valor_invalido', 'A value is not acceptable.'],
  ['webhook_invalido', 'The address for callbacks is not acceptable.'],
])

/** The types of problems that are known. */
export const KNOWN_PROBLEMS: readonly string[] = [...TITLES.keys()]

/** What the type of a problem means; null for one that is not known. */
export const titleOf = (name: string | null): string | null => TITLES.get(name ?? '') ?? null
