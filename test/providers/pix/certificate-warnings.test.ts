import { expect, test } from 'vitest'
import { certificateWarnings, createWatchCertificate } from '../../../src/providers/pix/certificate-warnings.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-22T12:00:00.000Z')

const api = (days: number, problem: string | null = null) => ({
  certificateExpiresAt: () => new Date(NOW.getTime() + days * DAY_MS),
  certificateProblem: () => problem,
})
const clock = { now: () => NOW }

test.each([
  [31, []],
  [30, ['The certificate of the Pix account ends on 2026-12-22. Ask the bank for a new one.']],
  [-1, ['The certificate of the Pix account has ended on 2026-11-21: Pix stands still.']],
])('with %i days left: %o', (days, warnings) => {
  expect(certificateWarnings(api(days), clock)).toEqual(warnings)
})

test('files that were broken by a renewal are told while the old certificate is still good', () => {
  expect(certificateWarnings(api(200, 'the key does not belong to it'), clock)).toEqual([
    'The files of the Pix account’s certificate cannot be read again. The log says why.',
  ])
})

test('the log says the same', async () => {
  const logged: unknown[] = []
  const logger = { warn: (text: unknown) => logged.push(text) } as never
  await createWatchCertificate({ api: api(5), wallClock: clock, logger }).runOnce()
  expect(logged).toEqual(certificateWarnings(api(5), clock))
})
