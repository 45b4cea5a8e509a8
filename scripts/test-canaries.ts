import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { bugsOf } from '../test/model/canary.ts'
import { startTestServer } from '../test/support/postgres-server.ts'

/** Within so many steps the model run must find each planted bug. */
const STEPS_MAX = 8_000
const SEED = '11'

/** `pix`: those of a Pix account, in place of the sandbox. */
const { values } = parseArgs({ options: { provider: { type: 'string', default: 'sandbox' } } })

const ROOT = join(import.meta.dirname, '..')
const CANARY = join(ROOT, 'test/model/canary.ts')
const RUN = join(ROOT, 'scripts/test-model.ts')

const server = await startTestServer()

const play = async (bug: string) => {
  const asked = ['--provider', values.provider, '--seed', SEED, '--steps', String(STEPS_MAX)]
  const child = spawn(process.execPath, ['--import', CANARY, RUN, ...asked], {
    env: { ...process.env, CANARY: bug, TEST_DATABASE_URL: server.adminUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => {
      child.once('exit', resolve)
    }),
  ])
  return { said, code }
}

try {
  for (const bug of Object.keys(bugsOf(values.provider))) {
    const { said, code } = await play(bug)
    const found = /disagree after (\d+) steps\.\n(.*)/.exec(said)
    if (code === 1 && found) console.log(`found: ${bug}, after ${found[1]} steps: ${found[2]?.slice(0, 160)}`)
    else {
      console.error(`not found: ${bug}\n${said}`)
      process.exitCode = 1
    }
  }
} finally {
  await server.stop()
}
