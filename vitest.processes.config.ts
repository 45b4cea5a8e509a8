import { defineConfig } from 'vitest/config'

/**
 * The platform as processes that are started, refused and killed: `npm run test:processes`. Each start takes a second or
 * two, which would be half of the time of `npm test`.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.process.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { interval: 10, timeout: 10_000 } },
  },
})
