import { parseArgs } from 'node:util'
import { openInProcessStage } from '../test/crash/in-process-stage.ts'
import { openProcessStage } from '../test/crash/process-stage.ts'
import { sweep } from '../test/crash/sweep.ts'
import { startTestServer } from '../test/support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string' },
    every: { type: 'string', default: '1' },
    kill: { type: 'boolean', default: false },
  },
})

const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) throw new RangeError('--every must be a whole number')

const server = await startTestServer()
const stage = await (values.kill ? openProcessStage : openInProcessStage)(server.adminUrl)
try {
  const { points, failures } = await sweep(stage, {
    ...(values.operations === undefined ? {} : { operations: values.operations.split(',') }),
    every,
    onOperation: (name, statements) => console.log(`${name}: ${statements} points`),
  })
  for (const failure of failures) console.error(failure)
  console.log(`It died at ${points} points. Differences: ${failures.length}.`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  await stage.close()
  await server.stop()
}
