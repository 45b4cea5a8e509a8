import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Files share a worker's modules: loading them anew for each file took half of the whole time.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What is waited for comes soon, but a busy machine may take its time.
    expect: { poll: { interval: 10, timeout: 10_000 } },
  },
})
