import { defineConfig } from 'vitest/config'

/**
 * What a database, a balancer or a restart does to a platform under load: `npm run test:ops`. One after the other and beside
 * nothing else, because they measure how long callers wait.
 */
export default defineConfig({
  test: {
    include: ['test/ops/**/*.ops.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { interval: 10, timeout: 10_000 } },
  },
})
