import { expect, test } from 'vitest'
import { canRun, runSample } from '../support/webhook-samples.ts'

const isInstalled = canRun('go')
if (!isInstalled)
  process.stdout.write('\n!! The Go sample of docs/webhooks.md IS NOT RUN: go is not installed here.\n\n')

test.runIf(isInstalled)('the Go sample accepts what is right and nothing else', async () => {
  const { said, right } = await runSample('go')
  expect(said).toStrictEqual(right)
})
