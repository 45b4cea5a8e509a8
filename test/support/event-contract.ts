import type { Pool } from 'pg'
import type { OpenapiDocument } from './openapi-document.ts'
import { createValidators } from './response-contract.ts'

/** Says what about an event's body is not as the document has it, or nothing when it is. */
export type EventContract = (body: { type?: string }) => string | undefined

export const createEventContract = (document: OpenapiDocument): EventContract => {
  const validate = createValidators(document)
  return (body) => {
    const schema = document.webhooks[body.type ?? '']?.post.requestBody?.content['application/json']?.schema
    return schema === undefined ? 'this type is not documented' : validate(schema, body)
  }
}

/** Judges every event that lies in a database. */
export const findBadEvents = async (sql: Pool, contract: EventContract): Promise<string[]> => {
  const { rows } = await sql.query<{ body: string }>('select body from events')
  return rows.flatMap(({ body }) => {
    const fault = contract(JSON.parse(body))
    return fault === undefined ? [] : [`${fault}: ${body}`]
  })
}
