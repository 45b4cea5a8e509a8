import { parseArgs } from 'node:util'
import { openInProcessStage } from '../test/crash/in-process-stage.ts'
import type { Operation } from '../test/crash/moves.ts'
import { OPERATIONS } from '../test/crash/operations.ts'
import { PIX_OPERATIONS } from '../test/crash/pix/operations.ts'
import { openPixStage } from '../test/crash/pix/stage.ts'
import { openProcessStage } from '../test/crash/process-stage.ts'
import type { Stage } from '../test/crash/stage.ts'
import { sweep } from '../test/crash/sweep.ts'
import { startTestServer } from '../test/support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string' },
    every: { type: 'string', default: '1' },
    kill: { type: 'boolean', default: false },
    /** `pix`: a simulated Pix account in place of the sandbox. */
    provider: { type: 'string', default: 'sandbox' },
  },
})

const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) throw new RangeError('--every must be a whole number')

const play = async <Where extends Stage>(stage: Where, from: readonly Operation<Where>[]): Promise<void> => {
  try {
    const { points, failures } = await sweep(stage, {
      from,
      ...(values.operations === undefined ? {} : { operations: values.operations.split(',') }),
      every,
      onOperation: (name, statements) => console.log(`${name}: ${statements} points`),
    })
    for (const failure of failures) console.error(failure)
    console.log(`It died at ${points} points. Differences: ${failures.length}.`)
    if (failures.length > 0) process.exitCode = 1
  } finally {
    await stage.close()
  }
}

const server = await startTestServer()
try {
  if (values.provider === 'pix') await play(await openPixStage(server.adminUrl), PIX_OPERATIONS)
  else await play(await (values.kill ? openProcessStage : openInProcessStage)(server.adminUrl), OPERATIONS)
} finally {
  await server.stop()
}
