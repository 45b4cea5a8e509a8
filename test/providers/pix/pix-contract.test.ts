import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import { PROFILE_NAMES } from '../../../src/providers/pix/api/profiles.ts'
import { type ContractFacts, describeProviderContract } from '../../support/provider-contract.ts'
import { CALLBACK_SECRET, openPixProvider } from '../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

describe.each(PROFILE_NAMES)('the Pix provider at %s', (profile) => {
  let psp: TestPsp
  let open: ReturnType<typeof openPixProvider>

  beforeAll(async () => {
    psp = await startTestPsp({ profile })
    open = openPixProvider(psp)
    await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '1000.00' })
  })
  afterAll(async () => {
    await open.api.close()
    await psp.close()
  })

  const payouts: ContractFacts['payouts'] = async (outcome) => {
    if (outcome === 'processing')
      await psp.control.must('PATCH', '/settings', { payouts: { outcome: 'hang', count: 1 } })
    if (outcome !== 'refused') return { amount: centavos(500) }
    await psp.control.must('PUT', '/keys/maria@example.com', { name: 'Maria Souza', document: '11144477735' })
    return { amount: centavos(500), holder: { name: null, document: '52998224725' } }
  }

  describeProviderContract(profile, profile === 'efi' ? { payouts, balance: true } : {}, () => ({
    provider: open.provider,
    newId: () => randomUUID(),
    payPix: async ({ reference }) => (await psp.control.pay({ txid: reference })).endToEndId,
    callback: () => ({ headers: {}, query: { hmac: `${CALLBACK_SECRET}` }, body: '{"pix":[]}' }),
  }))
})
