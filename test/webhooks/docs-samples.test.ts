import { expect, test } from 'vitest'
import { canRun, runSample } from '../support/webhook-samples.ts'

// The sample in Go is compiled with its library first: it is among the long tests.
const LANGUAGES = ['ts', 'python', 'php'] as const

const installed = LANGUAGES.filter(canRun)
for (const language of LANGUAGES.filter((one) => !installed.includes(one))) {
  process.stdout.write(
    `\n!! The ${language} sample of docs/webhooks.md IS NOT RUN: ${language} is not installed here.\n\n`,
  )
}

test.each(installed)('the %s sample accepts what is right and nothing else', async (language) => {
  const { said, right } = await runSample(language)
  expect(said).toStrictEqual(right)
})
