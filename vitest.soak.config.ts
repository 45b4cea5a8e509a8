import { defineConfig } from 'vitest/config'

/** The long tests: `npm run test:soak`, some minutes in all. One after the other, because they count what a machine can do. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
