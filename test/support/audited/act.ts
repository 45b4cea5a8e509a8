import type { Answer, TestApp } from '../app.ts'
import type { Seller } from '../factories.ts'
import { claimsOf } from '../tokens.ts'

/** A call that is about to be made, and what the audit log has to say of it afterwards. */
export type Act = {
  by: Pick<Seller, 'id' | 'token'>
  path: string
  body?: unknown
  headers?: Record<string, string>
  action: string
  /** What the entry shows of before and after. Absent: nothing that matters, as of secrets. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export type World = { app: TestApp; admin: Pick<Seller, 'id' | 'token'> }
export type Scenario = (world: World) => Promise<Act>

/** How acts that have to be in the audit log come about, by their operation. */
export type Scenarios = Readonly<Record<string, Scenario>>

// What an administrator may write, and nobody may read in the audit log again.
export const REASON = 'Call Maria at (11) 98765-4321, maria@padaria.com.br, CPF 529.982.247-25'
export const MASKED_REASON = 'Call Maria at (11) *****-4321, m***@padaria.com.br, CPF ***.982.247-**'

export const ok = (answer: Answer): Answer['body'] => {
  if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.text}`)
  return answer.body
}

export const adminOf = (token: string): World['admin'] => ({ id: claimsOf(token).sub, token })
