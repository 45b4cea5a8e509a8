import type { FastifyInstance } from 'fastify'
import { createEventContract, type EventContract } from './event-contract.ts'
import { createResponseContract, type ResponseContract } from './response-contract.ts'

type Contracts = { answers: ResponseContract; events: EventContract }

const known = new Map<string, Contracts>()

const read = (app: FastifyInstance): Contracts => {
  const document = app.swagger() as never
  return { answers: createResponseContract(document), events: createEventContract(document) }
}

/**
 * What a platform's answers and events must keep to. Platforms with the same operations have the same document, which
 * takes longer to write than most tests do: it is read once for all files of a worker.
 */
export const contractsOf = (app: FastifyInstance): Contracts => {
  const operations = app.accessTable.join('\n')
  const contracts = known.get(operations) ?? read(app)
  known.set(operations, contracts)
  return contracts
}
