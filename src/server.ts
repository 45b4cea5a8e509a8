import { keepCompiledCode } from './start/compile-cache.ts'

keepCompiledCode()
const { run } = await import('./start/run.ts')
await run()
