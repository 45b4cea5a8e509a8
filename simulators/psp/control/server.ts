import type { Server } from 'node:https'
import Fastify from 'fastify'
import { hasZodFastifySchemaValidationErrors, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Bank } from '../bank.ts'
import type { Certificates } from '../certificates/folder.ts'
import { parseJson } from '../http/parse-json.ts'
import { callbackControls } from './callbacks.ts'
import { clockControls } from './clock.ts'
import { faultControls } from './faults.ts'
import { infractionControls } from './infractions.ts'
import { merchantControls } from './merchants.ts'
import { ControlRefusal, type ControlServer } from './operation.ts'
import { paymentControls } from './payments.ts'
import { payoutControls } from './payouts.ts'
import { pspControls } from './psp.ts'
import { refundControls } from './refunds.ts'
import { statementControls } from './statement.ts'

type Dependencies = { bank: Bank; certificates: Certificates; apiServer: Server }

const refusalOf = (error: unknown): { status: number; body: Record<string, unknown> } => {
  if (error instanceof ControlRefusal) return { status: error.status, body: { error: error.message } }
  if (error instanceof SyntaxError) return { status: 400, body: { error: `The request is no JSON: ${error.message}` } }
  if (error instanceof RangeError) return { status: 409, body: { error: error.message } }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const faults = error.validation.map(({ instancePath, message }) => ({ path: instancePath, message }))
    return { status: 400, body: { error: 'The request is not as documented.', faults } }
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return { status, body: { error: error instanceof Error ? error.message : String(error) } }
}

// What the routes say about themselves, in the order in which they are put on.
const listRoutes = (app: ControlServer): string[] => {
  const lines: string[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const { summary } = (config ?? {}) as { summary?: string }
    if (summary !== undefined) lines.push(`${String(method).padEnd(6)} ${url}  ${summary}`)
  })
  return lines
}

/** The server at which tests play payers, the PSP's people, and bad luck. It has no access control: loopback only. */
export const createControlServer = ({ bank, certificates, apiServer }: Dependencies): ControlServer => {
  const app: ControlServer = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = refusalOf(error)
    return reply.code(status).send(body)
  })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, text: string) =>
    parseJson(text),
  )
  const routes = listRoutes(app)
  paymentControls(app, bank)
  refundControls(app, bank)
  payoutControls(app, bank)
  infractionControls(app, bank)
  callbackControls(app, bank)
  faultControls(app, bank)
  statementControls(app, bank)
  merchantControls(app, bank)
  clockControls(app, bank)
  pspControls(app, { bank, certificates, apiServer })
  app.get('/control', () => ({ operations: routes }))
  return app
}
