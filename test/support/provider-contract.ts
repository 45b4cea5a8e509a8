import { expect, test } from 'vitest'
import { centavos } from '../../src/domain/money.ts'
import type { Callback, ChargeRequest, Notice, PaymentProvider } from '../../src/providers/provider.port.ts'

/** A provider under test, and what its acquirer must be able to do for the suite. */
export type ProviderUnderTest = {
  provider: PaymentProvider
  newId: () => string
  /** Card tokens with known outcomes. */
  tokens: { approved: string; declined: string; lost: string }
  /** Payout amounts, in centavos, with known outcomes. */
  payouts: { completed: number; processing: number; refused: number }
  /** A callback as the acquirer would send it. */
  sign: (notices: readonly Notice[]) => Callback
}

const signal = () => AbortSignal.timeout(10_000)

const accepted = <Answer extends { outcome: string }>(answer: Answer) => {
  expect(answer.outcome).toBe('accepted')
  return answer as Extract<Answer, { outcome: 'accepted' }>
}

/** What every provider promises, whatever it speaks. `create` gives one that is ready to be used. */
export const describeProviderContract = (name: string, create: () => ProviderUnderTest): void => {
  const request = ({ newId, tokens }: ProviderUnderTest, token = tokens.approved, capture = true): ChargeRequest => ({
    paymentId: newId(),
    amount: centavos(12_345),
    description: 'Pedido 77',
    payer: { name: 'Francisco da Silva', document: '52998224725', email: null, phone: null },
    requestedAt: new Date(),
    method: 'credit_card',
    cardToken: token,
    installments: 1,
    capture,
  })
  const pix = (under: ProviderUnderTest): ChargeRequest => ({
    ...request(under),
    method: 'pix',
    expiresAt: new Date(Date.now() + 3_600_000),
  })

  test(`${name}: the same payment asked for twice is one charge`, async () => {
    const under = create()
    const asked = pix(under)
    const first = accepted(await under.provider.createCharge(asked, signal()))
    const second = accepted(await under.provider.createCharge(asked, signal()))
    expect(second.charge).toEqual(first.charge)
    expect(first.charge).toMatchObject({ state: { status: 'pending' }, pix: { qrCode: expect.any(String) } })
  })

  test(`${name}: concurrent requests for one payment make one charge`, async () => {
    const under = create()
    const asked = request(under)
    const answers = await Promise.all(Array.from({ length: 5 }, () => under.provider.createCharge(asked, signal())))
    expect(new Set(answers.map((answer) => accepted(answer).charge.reference)).size).toBe(1)
  })

  test(`${name}: a charge that was never made is missing, one that was made is found`, async () => {
    const under = create()
    const asked = request(under)
    const key = { paymentId: asked.paymentId, reference: null }
    expect(await under.provider.getCharge(key, signal())).toEqual({ outcome: 'missing' })
    const { charge } = accepted(await under.provider.createCharge(asked, signal()))
    const found = await under.provider.getCharge({ ...key, reference: charge.reference }, signal())
    expect(found).toMatchObject({ outcome: 'found', charge: { state: charge.state, reference: charge.reference } })
  })

  test(`${name}: a declined card is refused, and an approved one is paid in full`, async () => {
    const under = create()
    const declined = await under.provider.createCharge(request(under, under.tokens.declined), signal())
    expect(declined).toMatchObject({ outcome: 'refused', reason: expect.any(String) })
    const { charge } = accepted(await under.provider.createCharge(request(under), signal()))
    expect(charge.state).toMatchObject({ status: 'paid', paidAmount: 12_345 })
    expect(charge.card).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/) })
  })

  test(`${name}: an answer that is lost is unknown, and asking later tells what happened`, async () => {
    const under = create()
    const asked = request(under, under.tokens.lost)
    expect((await under.provider.createCharge(asked, signal())).outcome).toBe('unknown')
    const found = await under.provider.getCharge({ paymentId: asked.paymentId, reference: null }, signal())
    expect(found).toMatchObject({ outcome: 'found', charge: { state: { status: 'paid' } } })
  })

  test(`${name}: an authorized charge is captured once, and then not canceled`, async () => {
    const under = create()
    const asked = request(under, under.tokens.approved, false)
    const { charge } = accepted(await under.provider.createCharge(asked, signal()))
    expect(charge.state.status).toBe('authorized')
    const key = { paymentId: asked.paymentId, reference: charge.reference }
    expect(accepted(await under.provider.captureCharge(key, signal())).charge.state.status).toBe('paid')
    expect(accepted(await under.provider.captureCharge(key, signal())).charge.state.status).toBe('paid')
    expect((await under.provider.cancelCharge(key, signal())).outcome).toBe('refused')
  })

  test(`${name}: a charge that nobody paid can be canceled, twice`, async () => {
    const under = create()
    const asked = pix(under)
    const { charge } = accepted(await under.provider.createCharge(asked, signal()))
    const key = { paymentId: asked.paymentId, reference: charge.reference }
    expect(accepted(await under.provider.cancelCharge(key, signal())).charge.state.status).toBe('canceled')
    expect(accepted(await under.provider.cancelCharge(key, signal())).charge.state.status).toBe('canceled')
    expect((await under.provider.captureCharge(key, signal())).outcome).toBe('refused')
  })

  test(`${name}: the same refund asked for twice is one refund`, async () => {
    const under = create()
    const asked = request(under)
    const { charge } = accepted(await under.provider.createCharge(asked, signal()))
    const key = { paymentId: asked.paymentId, reference: charge.reference }
    const refund = { refundId: under.newId(), charge: key, endToEndId: null, amount: centavos(100), reason: null }
    const first = accepted(await under.provider.refund(refund, signal()))
    const second = accepted(await under.provider.refund(refund, signal()))
    expect(second.refund.reference).toBe(first.refund.reference)
  })

  test(`${name}: a refund that was never asked for is missing, one that was is found`, async () => {
    const under = create()
    const { getRefund } = under.provider
    if (getRefund === undefined) return
    const asked = request(under)
    accepted(await under.provider.createCharge(asked, signal()))
    const refundId = under.newId()
    expect(await getRefund(refundId, signal())).toEqual({ outcome: 'missing' })
    const charge = { paymentId: asked.paymentId, reference: null }
    const amount = centavos(100)
    const { refund } = accepted(
      await under.provider.refund({ refundId, charge, endToEndId: null, amount, reason: null }, signal()),
    )
    expect(await getRefund(refundId, signal())).toEqual({ outcome: 'found', refund })
  })

  test.each(['completed', 'processing'] as const)(
    `${name}: a payout is %s, and the same one when asked again`,
    async (status) => {
      const under = create()
      const payout = {
        withdrawalId: under.newId(),
        amount: centavos(under.payouts[status]),
        pixKeyType: 'email' as const,
        pixKey: 'maria@example.com',
        description: null,
      }
      const key = { withdrawalId: payout.withdrawalId, reference: null }
      expect(await under.provider.getPayout(key, signal())).toEqual({ outcome: 'missing' })
      const first = accepted(await under.provider.createPayout(payout, signal()))
      expect(first.payout.state.status).toBe(status)
      expect(accepted(await under.provider.createPayout(payout, signal())).payout).toEqual(first.payout)
      const found = await under.provider.getPayout({ ...key, reference: first.payout.reference }, signal())
      expect(found).toEqual({ outcome: 'found', payout: first.payout })
    },
  )

  test(`${name}: a refused payout leaves nothing behind`, async () => {
    const under = create()
    const withdrawalId = under.newId()
    const amount = centavos(under.payouts.refused)
    const asked = { withdrawalId, amount, pixKeyType: 'email' as const, pixKey: 'a@example.com', description: null }
    expect((await under.provider.createPayout(asked, signal())).outcome).toBe('refused')
    expect(await under.provider.getPayout({ withdrawalId, reference: null }, signal())).toEqual({ outcome: 'missing' })
  })

  test(`${name}: a callback is believed only with its signature, and only as it was signed`, () => {
    const { provider, sign } = create()
    const callback = sign([{ kind: 'charge', reference: 'abc', state: { status: 'pending' } }])
    expect(provider.authenticateCallback(callback)).toBe(true)
    expect(provider.authenticateCallback({ ...callback, body: `${callback.body} ` })).toBe(false)
    expect(provider.authenticateCallback({ ...callback, headers: {} })).toBe(false)
  })

  test(`${name}: a callback says what was meant, and nonsense is refused`, () => {
    const { provider, sign } = create()
    const notices: Notice[] = [
      { kind: 'charge', reference: 'a', state: { status: 'paid', paidAmount: centavos(10), endToEndId: null } },
      { kind: 'payout', reference: 'b', state: { status: 'returned', reason: 'account_closed' } },
    ]
    expect(provider.parseCallback(sign(notices).body)).toEqual(notices)
    expect(() => provider.parseCallback('<html>')).toThrow(/not/)
    expect(() => provider.parseCallback('{"notices":[]}')).toThrow(/not/)
  })
}
