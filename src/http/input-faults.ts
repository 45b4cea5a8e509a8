import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { InputFault } from '../errors.ts'

// In the order in which the framework validates.
const PARTS = [
  { in: 'params', schema: 'params', value: (request: FastifyRequest) => request.params },
  { in: 'body', schema: 'body', value: (request: FastifyRequest) => request.body },
  { in: 'query', schema: 'querystring', value: (request: FastifyRequest) => request.query },
  { in: 'headers', schema: 'headers', value: (request: FastifyRequest) => request.headers },
] as const

const FAULTS_MAX = 50
const REQUIRED_MESSAGE = 'This field is required.'

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.')

type Issue = z.core.$ZodIssue
type Fault = Pick<InputFault, 'path' | 'code' | 'message'>

const reach = (issues: readonly Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length))

// Of the alternatives that a value could have been, the one that got furthest is most likely the one that was meant.
const closest = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  [...branches].sort((left, right) => reach(right) - reach(left) || left.length - right.length).at(0) ?? []

const flatten = (issue: Issue): Fault[] => {
  // An unknown field is a fault of that field, not of the object around it.
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      code: 'unknown_field',
      message: 'This operation does not take this field.',
    }))
  }
  const branch = issue.code === 'invalid_union' ? closest(issue.errors) : []
  if (branch.length > 0) return branch.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }))
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return [
    missing
      ? { path: pathOf(issue.path), code: 'required', message: REQUIRED_MESSAGE }
      : { path: pathOf(issue.path), code: codeOf(issue), message: issue.message },
  ]
}

// A rule that zod does not know may name itself: `.refine(rule, { params: { code: 'password_common' } })`.
const codeOf = (issue: Issue): string =>
  issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code

/**
 * Every fault of a request at once: the framework stops at the first part that fails, people want the whole list.
 * Parts before `failed` are in order, and have been replaced by what their schema made of them.
 */
export const inputFaults = (request: FastifyRequest, failed?: string): InputFault[] => {
  const schemas = (request.routeOptions.schema ?? {}) as Readonly<Record<string, unknown>>
  const first = PARTS.findIndex((part) => part.in === failed || part.schema === failed)
  const faults = PARTS.slice(Math.max(0, first)).flatMap((part) => {
    const schema = schemas[part.schema]
    if (!(schema instanceof z.ZodType)) return []
    const { error } = schema.safeParse(part.value(request) ?? (part.in === 'body' ? undefined : {}))
    return (error?.issues ?? []).flatMap(flatten).map((fault) => ({ in: part.in, ...fault }))
  })
  return faults.slice(0, FAULTS_MAX)
}
