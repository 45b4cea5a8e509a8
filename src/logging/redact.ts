import { LRUCache } from 'lru-cache'

// Names are compared in lower case without separators, so that cpf, legalRepCpf and legal_rep_cpf are one rule.
const SECRET_NAME =
  /authorization|cookie|password|secret|token|apikey|privatekey|signature|document|cpf|cnpj|pixkey|cardnumber|cvv|^body$/
const DEPTH_MAX = 6

export const REDACTED = '[redacted]'

// The names in a log are few and come again with each line.
const verdicts = new LRUCache<string, boolean>({ max: 1_000 })

const isSecret = (name: string): boolean => {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const verdict = SECRET_NAME.test(name.toLowerCase().replace(/[_-]/g, ''))
  verdicts.set(name, verdict)
  return verdict
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return REDACTED
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1))
  return isPlain(value) ? redactFields(value, depth) : value
}

const redactFields = (fields: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSecret(name) ? REDACTED : redactValue(value, depth + 1)]),
  )

/**
 * What may be logged of these fields: credentials, personal documents and bodies are replaced at any depth, by name.
 * The second net: the first is that nobody logs them.
 */
export const redact = (fields: object): Record<string, unknown> => redactFields(fields, 0)
