import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { releaseHeld } from '../callbacks.ts'
import { covers, faultInput } from '../faults.ts'
import { about, ControlRefusal, type ControlServer, missing } from './operation.ts'

/** Bad luck, planted. */
export const faultControls = (app: ControlServer, bank: Bank): void => {
  app.post(
    '/control/faults',
    {
      ...about('plants a fault: {on?, operation?, when?, action, merchant?, match?, count?, probability?}'),
      schema: { body: faultInput },
    },
    async (request, reply) => {
      const fault = request.body
      if (fault.on === 'request' && !bank.operations.some((name) => covers(fault.operation, name))) {
        throw new ControlRefusal(400, `No such operation: ${fault.operation}. There are ${bank.operations.join(', ')}.`)
      }
      reply.code(201)
      return bank.faults.plant(fault)
    },
  )

  app.get('/control/faults', about('the faults that are planted'), async () => ({ faults: bank.faults.list() }))

  app.delete(
    '/control/faults',
    about('removes all faults and lets go what they hold back'),
    async (_request, reply) => {
      bank.faults.clear()
      releaseHeld(bank)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/control/faults/:id',
    { ...about('removes a fault'), schema: { params: z.object({ id: z.coerce.number().int() }) } },
    async (request, reply) => {
      if (!bank.faults.remove(request.params.id)) throw missing(`fault: ${request.params.id}`)
      return reply.code(204).send()
    },
  )
}
