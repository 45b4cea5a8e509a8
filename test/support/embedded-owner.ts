// A process of its own that runs the embedded Postgres of the folder given: prints its address, ends when told to.
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'

const log = { info: () => undefined, error: () => undefined }
const settings = { fsync: 'off', shared_buffers: '16MB' }
try {
  const { url, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log, settings })
  process.stdout.write(`${url}\n`)
  process.stdin.once('end', () => void stop())
  process.stdin.resume()
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
  process.exitCode = 1
}
