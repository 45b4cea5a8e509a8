import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { invariant } from '../../../src/domain/invariant.ts'
import type { Merchant } from '../certificates/folder.ts'
import type { Exchange } from '../exchanges.ts'

/** The HTTPS server that routes are put on. */
export type ApiServer = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** What faults, log and access know a route by. */
export type Operation = {
  /** Such as `cob.put`: what faults are planted on, whatever address the profile gives it. */
  name: string
  /** What a token must grant. Without it, everybody may. */
  scope?: string
  /** The error type of a request that breaks the schema, and how its fields are called there: `cob.valor.original`. */
  invalid?: { type: string; thing: string }
}

// Config is typed for the whole project at once, and these routes are none of the platform's.
export const operationOf = (request: FastifyRequest): Operation | undefined =>
  (request.routeOptions.config as { operation?: Operation }).operation

type Facts = { exchange: Exchange; startedAt: number; merchant?: Merchant }

const facts = new WeakMap<object, Facts>()

export const setFacts = (request: object, known: Facts): void => void facts.set(request, known)

/** What the hooks found out about a request. */
export const factsOf = (request: object): Facts => {
  const known = facts.get(request)
  invariant(known !== undefined, 'every request is recorded before anything else happens to it')
  return known
}

/** Whose token a request carries. Only operations with a scope have one. */
export const merchantOf = (request: object): Merchant => {
  const { merchant } = factsOf(request)
  invariant(merchant !== undefined, 'an operation with a scope is reached with a token alone')
  return merchant
}
