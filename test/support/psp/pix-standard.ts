import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

type Json = Record<string, unknown>

const PATH = join(import.meta.dirname, '..', 'pix-standard', 'openapi.yaml')

let published: Json | undefined

/** The Central Bank's document as it is published, for the caller to change. */
export const readStandard = (): Json => {
  published ??= parse(readFileSync(PATH, 'utf8')) as Json
  return structuredClone(published)
}

const at = (document: Json, ...path: readonly (string | number)[]): Json =>
  path.reduce<Json>((node, name) => {
    const next = node[name]
    if (typeof next !== 'object' || next === null) throw new Error(`the document has no ${path.join('.')}`)
    return next as Json
  }, document)

const schema = (document: Json, ...path: readonly (string | number)[]): Json =>
  at(document, 'components', 'schemas', ...path)

/** Takes a name out of a list of required properties. Throws where it is not there any more. */
const relax = (node: Json, name: string): void => {
  const required = node.required as string[]
  if (!required?.includes(name)) throw new Error(`${name} is not required`)
  node.required = required.filter((other) => other !== name)
}

/** Every schema of the document, however deep. */
const eachNode = (node: unknown, visit: (node: Json) => void): void => {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Json)
  for (const value of Object.values(node)) eachNode(value, visit)
}

type Correction = { why: string; apply: (document: Json) => void }

/**
 * Where the document contradicts itself, judged by its own examples and prose. Each correction throws where there is
 * nothing to correct, so that none outlives its reason.
 */
export const CORRECTIONS: readonly Correction[] = [
  {
    why: 'patterns of CPF and of city codes are written between slashes, which no number has',
    apply: (document) => {
      let found = 0
      eachNode(document, (node) => {
        const { pattern } = node
        if (typeof pattern !== 'string' || !/^\/.*\/$/.test(pattern)) return
        node.pattern = pattern.slice(1, -1)
        found += 1
      })
      if (found === 0) throw new Error('no pattern is between slashes')
    },
  },
  {
    why: 'patterns without ends would be met by any text that holds one: an amount of 1.000 has 1.00 in it',
    apply: (document) => {
      let found = 0
      eachNode(document, (node) => {
        const { pattern } = node
        if (typeof pattern !== 'string' || pattern.startsWith('^')) return
        node.pattern = `^(?:${pattern})$`
        found += 1
      })
      if (found === 0) throw new Error('all patterns have ends')
    },
  },
  {
    why: 'the receiver’s address is demanded of the charge itself, beside `recebedor`',
    apply: (document) => {
      const node = schema(document, 'DadosRecebedor')
      for (const name of ['logradouro', 'cidade', 'uf', 'cep']) relax(node, name)
    },
  },
  {
    why: 'lists of charges demand `idCob`, which no charge has',
    apply: (document) => {
      for (const name of ['CobsConsultadas', 'CobsVConsultadas']) {
        relax(schema(document, name, 'properties', 'cobs', 'items', 'allOf', 1), 'idCob')
      }
    },
  },
  {
    why: 'the list of received Pix demands `cobs` and describes `pix`',
    apply: (document) => {
      const node = schema(document, 'PixConsultados')
      relax(node, 'cobs')
      node.required = [...(node.required as string[]), 'pix']
    },
  },
  {
    why: 'a request that names a location has its id alone, in all examples, and `tipoCob` is not even described',
    apply: (document) => relax(schema(document, 'PayloadLocationCob'), 'tipoCob'),
  },
  {
    why: 'a discount by `valorPerc` meets both alternatives, because the one with fixed dates demands nothing',
    apply: (document) => {
      const node = schema(document, 'CobVValor', 'properties', 'desconto', 'oneOf', 0)
      if (node.required !== undefined) throw new Error('the alternative demands something')
      node.required = ['descontoDataFixa']
    },
  },
  {
    why: 'a location is written without its scheme, so it is no URI',
    apply: (document) => {
      let found = 0
      eachNode(document, (node) => {
        if (node.format !== 'uri' || !String(node.example ?? '').startsWith('pix.example.com/')) return
        delete node.format
        found += 1
      })
      if (found === 0) throw new Error('no location is a URI')
    },
  },
  {
    why: 'the txid of a Pix may be short, as in static codes, but must also be one of a charge',
    apply: (document) => {
      const node = schema(document, 'Pix', 'properties')
      const [charge, pix] = at(node, 'txid').allOf as [Json, Json]
      if (charge.$ref !== '#/components/schemas/TxId') throw new Error('the txid is no longer that of a charge')
      node.txid = { type: 'string', ...pix }
    },
  },
]

const corrected = (): Json => {
  const document = readStandard()
  for (const { apply } of CORRECTIONS) apply(document)
  return document
}

/** Says what about a value is not as the standard has it, or nothing. */
export type Judge = (value: unknown) => string | undefined

const createJudges = (document: Json) => {
  const ajv = new Ajv({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'standard', components: document.components })
  const compiled = new Map<unknown, ValidateFunction>()
  const absolute = (node: unknown): Json =>
    JSON.parse(JSON.stringify(node).replaceAll('"#/components', '"standard#/components'))

  return (node: unknown): Judge => {
    const validate = compiled.get(node) ?? ajv.compile(absolute(node))
    compiled.set(node, validate)
    return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' }))
  }
}

type Media = { content?: Record<string, { schema: unknown }>; $ref?: string }
type OperationObject = { requestBody?: Media; responses: Record<string, Media> }

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** One exchange, by the standard's own paths: `/cob/{txid}` without what a bank puts before it. */
export type StandardExchange = {
  method: string
  /** Without its query. */
  path: string
  requestBody: unknown
  status: number
  contentType: string
  body: unknown
}

/** Judges exchanges and callbacks by the corrected document. */
export const createStandard = () => {
  const document = corrected()
  const judgeOf = createJudges(document)
  const paths = document.paths as Record<string, Record<string, OperationObject>>
  const problem = judgeOf({ $ref: '#/components/schemas/Problema' })

  const resolved = (media: Media | undefined): Media | undefined =>
    media?.$ref === undefined ? media : (at(document, ...media.$ref.slice(2).split('/')) as Media)

  const operationOf = (method: string, path: string): OperationObject => {
    // A literal path goes before one with parameters.
    const candidates = Object.keys(paths).filter((pattern) => patternOf(pattern).test(path))
    const best = candidates.toSorted((one, other) => one.split('{').length - other.split('{').length)[0]
    const operation = paths[best ?? '']?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`the standard has no ${method} ${path}`)
    return operation
  }

  const judgeRequest = ({ requestBody }: OperationObject, body: unknown): string | undefined => {
    const described = resolved(requestBody)?.content?.['application/json']?.schema
    return described === undefined ? undefined : judgeOf(described)(body)
  }

  const judgeAnswer = ({ responses }: OperationObject, exchange: StandardExchange): string | undefined => {
    const { status, contentType, body } = exchange
    if (status >= 400) {
      // Statuses that the document does not list for an operation have the form of those that it does.
      const isProblem = contentType.startsWith('application/problem+json')
      return isProblem ? problem(body) : `an error of the type ${contentType}`
    }
    const described = resolved(responses[status])
    if (described === undefined) return `the status ${status} is not described`
    const media = described.content?.['application/json']?.schema
    return media === undefined ? undefined : judgeOf(media)(body)
  }

  /** What about an exchange is not as the standard has it. A request that was refused may be wrong. */
  const judge = (exchange: StandardExchange): string | undefined => {
    const operation = operationOf(exchange.method, exchange.path)
    const fault = exchange.status < 300 ? judgeRequest(operation, exchange.requestBody) : undefined
    return fault === undefined ? judgeAnswer(operation, exchange) : `the request: ${fault}`
  }

  return {
    judge,
    judgeCallback: judgeOf(
      at(document, 'components', 'requestBodies', 'WebhookPixBody', 'content', 'application/json', 'schema'),
    ),
    judgePayload: judgeOf({ $ref: '#/components/schemas/CobPayload' }),
    judgeDuePayload: judgeOf({ $ref: '#/components/schemas/CobVPayload' }),
  }
}
