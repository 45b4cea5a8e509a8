import { defineConfig } from 'vitest/config'

/** What people see, in a real browser: `npm run test:browser`. Needs chromium, or `CHROMIUM_PATH`. */
export default defineConfig({
  test: {
    include: ['test/**/*.browser.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { interval: 10, timeout: 10_000 } },
  },
})
