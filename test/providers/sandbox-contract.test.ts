import { afterAll, beforeAll } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { sandboxCallbackBody } from '../../src/providers/sandbox/sandbox.callbacks.ts'
import { createSandboxProvider } from '../../src/providers/sandbox/sandbox.provider.ts'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import { createRepositories } from '../../src/repositories.ts'
import { startTestLedger, type TestLedger } from '../support/ledger.ts'
import { describeProviderContract } from '../support/provider-contract.ts'

let base: TestLedger

beforeAll(async () => {
  base = await startTestLedger()
})

afterAll(() => base.close())

const secret = sandboxSecret('a key that only the tests use')

describeProviderContract('sandbox', () => {
  const { newId, transact, db } = base
  return {
    provider: createSandboxProvider({
      read: createRepositories(db, newId),
      transact,
      clock: systemClock,
      wallClock: systemClock,
      secret,
    }),
    newId,
    tokens: { approved: 'tok_0001', declined: 'tok_0002', lost: 'tok_0006' },
    payouts: { completed: 10_000, processing: 10_091, refused: 10_092 },
    sign: (notices) => {
      const body = sandboxCallbackBody(newId(), notices)
      return { headers: { [SIGNATURE_HEADER]: signSandboxCallback(secret, body, Date.now()) }, body }
    },
  }
})
