import './start/compile-cache.cjs'

// Imported once the cache is there, which covers what is loaded after it.
const { run } = await import('./start/run.ts')
await run()
