import { expect, test } from 'vitest'
import { type Centavos, centavos } from '../../src/domain/money.ts'
import type {
  Callback,
  ChargeKey,
  ChargeRequest,
  PaymentProvider,
  PayoutRequest,
} from '../../src/providers/provider.port.ts'

/** A provider under test, and what its acquirer must be able to do for the suite. */
export type ProviderUnderTest = {
  provider: PaymentProvider
  newId: () => string
  /** A payer pays a Pix in full. Answers its end-to-end id. */
  payPix: (charge: { reference: string; amount: number }) => Promise<string>
  /** A callback of the provider, about nothing in particular. */
  callback: () => Callback
}

export type ContractFacts = {
  /** Card tokens with known outcomes. Absent: it charges no cards. */
  cards?: { approved: string; declined: string; lost: string }
  /** Sees to the outcome of the next payout, and answers what to ask for. Absent: it pays nothing out. */
  payouts?: (outcome: 'completed' | 'processing' | 'refused') => Promise<Partial<PayoutRequest> & { amount: Centavos }>
  /** It tells what lies on the account. */
  balance?: true
}

const signal = () => AbortSignal.timeout(10_000)

const accepted = <Answer extends { outcome: string }>(answer: Answer) => {
  expect(answer.outcome).toBe('accepted')
  return answer as Extract<Answer, { outcome: 'accepted' }>
}

const must = <Capability>(capability: Capability | undefined): Capability => {
  if (capability === undefined) throw new Error('the provider lacks a capability that it is tested for')
  return capability
}

type Create = () => ProviderUnderTest

const asked = ({ newId }: Pick<ProviderUnderTest, 'newId'>) => ({
  paymentId: newId(),
  reference: null,
  sellerId: newId(),
  amount: centavos(12_345),
  seller: { name: 'Padaria da Maria', document: '11222333000181' },
  description: 'Pedido 77',
  payer: { name: 'Francisco da Silva', document: '52998224725', email: null, phone: null },
  requestedAt: new Date(),
})

const pixRequest = (under: ProviderUnderTest): ChargeRequest => ({
  ...asked(under),
  method: 'pix',
  expiresAt: new Date(Date.now() + 3_600_000),
  dueTerms: null,
})

const describePix = (name: string, create: Create): void => {
  test(`${name}: the same payment asked for twice is one charge`, async () => {
    const under = create()
    const { create: charge } = must(under.provider.charges)
    const request = pixRequest(under)
    const first = accepted(await charge(request, signal()))
    const second = accepted(await charge(request, signal()))
    expect(second.charge).toEqual(first.charge)
    expect(first.charge).toMatchObject({ state: { status: 'pending' }, pix: { qrCode: expect.any(String) } })
  })

  test(`${name}: concurrent requests for one payment make one charge`, async () => {
    const under = create()
    const { create: charge } = must(under.provider.charges)
    const request = pixRequest(under)
    const answers = await Promise.all(Array.from({ length: 5 }, () => charge(request, signal())))
    expect(new Set(answers.map((answer) => accepted(answer).charge.reference)).size).toBe(1)
  })

  test(`${name}: a charge that was never made is missing, one that was made is found`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const request = pixRequest(under)
    const key = { paymentId: request.paymentId, reference: null }
    expect(await charges.get(key, signal())).toEqual({ outcome: 'missing' })
    const { charge } = accepted(await charges.create(request, signal()))
    const found = await charges.get({ ...key, reference: charge.reference }, signal())
    expect(found).toMatchObject({ outcome: 'found', charge: { state: charge.state, reference: charge.reference } })
  })

  test(`${name}: a charge that nobody paid can be canceled, twice`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const request = pixRequest(under)
    const { charge } = accepted(await charges.create(request, signal()))
    const key = { paymentId: request.paymentId, reference: charge.reference }
    expect(accepted(await charges.cancel(key, signal())).charge.state.status).toBe('canceled')
    expect(accepted(await charges.cancel(key, signal())).charge.state.status).toBe('canceled')
  })

  test(`${name}: a paid charge is found paid, with what was paid, and cannot be canceled`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const request = pixRequest(under)
    const { charge } = accepted(await charges.create(request, signal()))
    const key = { paymentId: request.paymentId, reference: charge.reference }
    const endToEndId = await under.payPix({ reference: charge.reference, amount: request.amount })
    const found = await charges.get(key, signal())
    expect(found).toMatchObject({ charge: { state: { status: 'paid', paidAmount: 12_345, endToEndId } } })
    expect((await charges.cancel(key, signal())).outcome).toBe('refused')
  })
}

type Cards = NonNullable<ContractFacts['cards']>

const describeCards = (name: string, tokens: Cards, create: Create): void => {
  const request = (under: ProviderUnderTest, cardToken = tokens.approved, capture = true): ChargeRequest => ({
    ...asked(under),
    ...{ method: 'credit_card', cardToken, installments: 1, capture },
  })

  test(`${name}: a declined card is refused, and an approved one is paid in full`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const declined = await charges.create(request(under, tokens.declined), signal())
    expect(declined).toMatchObject({ outcome: 'refused', reason: expect.any(String) })
    const { charge } = accepted(await charges.create(request(under), signal()))
    expect(charge.state).toMatchObject({ status: 'paid', paidAmount: 12_345 })
    expect(charge.card).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/) })
  })

  test(`${name}: an answer that is lost is unknown, and asking later tells what happened`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const lost = request(under, tokens.lost)
    expect((await charges.create(lost, signal())).outcome).toBe('unknown')
    const found = await charges.get({ paymentId: lost.paymentId, reference: null }, signal())
    expect(found).toMatchObject({ outcome: 'found', charge: { state: { status: 'paid' } } })
  })

  const authorized = async (under: ProviderUnderTest): Promise<ChargeKey> => {
    const held = request(under, tokens.approved, false)
    const { charge } = accepted(await must(under.provider.charges).create(held, signal()))
    expect(charge.state.status).toBe('authorized')
    return { paymentId: held.paymentId, reference: charge.reference }
  }

  test(`${name}: an authorized charge is captured once, and then not canceled`, async () => {
    const under = create()
    const { cancel, ...charges } = must(under.provider.charges)
    const capture = must(charges.capture)
    const key = { ...(await authorized(under)), amount: centavos(12_345) }
    expect(accepted(await capture(key, signal())).charge.state.status).toBe('paid')
    expect(accepted(await capture(key, signal())).charge.state.status).toBe('paid')
    expect((await cancel(key, signal())).outcome).toBe('refused')
  })

  test(`${name}: part of an authorization is captured where the provider says that it can`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    if (!charges.methods.credit_card?.partialCapture) return
    const key = { ...(await authorized(under)), amount: centavos(5_000) }
    const { charge } = accepted(await must(charges.capture)(key, signal()))
    expect(charge.state).toMatchObject({ status: 'paid', paidAmount: 5_000 })
  })

  test(`${name}: what was canceled is not captured`, async () => {
    const under = create()
    const charges = must(under.provider.charges)
    const key = await authorized(under)
    accepted(await charges.cancel(key, signal()))
    expect((await must(charges.capture)({ ...key, amount: centavos(12_345) }, signal())).outcome).toBe('refused')
  })
}

const describeSavedCards = (name: string, tokens: Cards, create: Create): void => {
  const saving = (under: ProviderUnderTest, cardToken: string) => ({
    ...{ cardId: under.newId(), sellerId: under.newId(), customerId: under.newId(), cardToken },
  })
  const charge = (under: ProviderUnderTest, cardToken: string) =>
    must(under.provider.charges).create(
      { ...asked(under), method: 'credit_card', cardToken, installments: 1, capture: true },
      signal(),
    )

  test(`${name}: a card that is saved, twice under one id, is charged again and again, and not once it is forgotten`, async () => {
    const under = create()
    const { savedCards } = under.provider
    if (savedCards === undefined) return
    const request = saving(under, tokens.approved)
    const { card } = accepted(await savedCards.save(request, signal()))
    expect(accepted(await savedCards.save(request, signal())).card).toEqual(card)
    expect(card.token).not.toBe(tokens.approved)
    for (const _ of [1, 2]) {
      const { token, ...shown } = card
      expect(accepted(await charge(under, token)).charge).toMatchObject({ state: { status: 'paid' }, card: shown })
    }
    const { cardId, sellerId } = request
    for (const token of [card.token, null]) accepted(await savedCards.delete({ cardId, sellerId, token }, signal()))
    expect((await charge(under, card.token)).outcome).toBe('refused')
    expect((await savedCards.save(request, signal())).outcome).toBe('refused')
  })

  test(`${name}: a saved card is declined as its token was, and one that was never saved is forgotten all the same`, async () => {
    const under = create()
    const { savedCards } = under.provider
    if (savedCards === undefined) return
    const { card } = accepted(await savedCards.save(saving(under, tokens.declined), signal()))
    expect(await charge(under, card.token)).toEqual(await charge(under, tokens.declined))
    expect((await savedCards.save(saving(under, 'no token at all'), signal())).outcome).toBe('refused')
    const { cardId, sellerId } = saving(under, tokens.approved)
    accepted(await savedCards.delete({ cardId, sellerId, token: null }, signal()))
  })
}

const describeRefunds = (name: string, create: Create): void => {
  const refundable = async (under: ProviderUnderTest) => {
    const request = pixRequest(under)
    const { charge } = accepted(await must(under.provider.charges).create(request, signal()))
    const endToEndId = await under.payPix({ reference: charge.reference, amount: request.amount })
    const key = { paymentId: request.paymentId, reference: charge.reference }
    return { sellerId: request.sellerId, charge: key, endToEndId, amount: centavos(100), reason: null }
  }

  test(`${name}: the same refund asked for twice is one refund`, async () => {
    const under = create()
    const refunds = must(under.provider.refunds)
    const refund = { ...(await refundable(under)), refundId: under.newId() }
    const first = accepted(await refunds.create(refund, signal()))
    const second = accepted(await refunds.create(refund, signal()))
    expect(second.refund.reference).toBe(first.refund.reference)
  })

  test(`${name}: a refund that was never asked for is missing, one that was is found`, async () => {
    const under = create()
    const refunds = must(under.provider.refunds)
    if (refunds.get === undefined) return
    const refund = { ...(await refundable(under)), refundId: under.newId() }
    expect(await refunds.get(refund, signal())).toEqual({ outcome: 'missing' })
    const { reference } = accepted(await refunds.create(refund, signal())).refund
    expect(await refunds.get(refund, signal())).toMatchObject({ outcome: 'found', refund: { reference } })
  })
}

type Payouts = NonNullable<ContractFacts['payouts']>

const describePayouts = (name: string, prepare: Payouts, create: Create): void => {
  const request = (
    { newId }: ProviderUnderTest,
    asked: Partial<PayoutRequest> & { amount: Centavos },
  ): PayoutRequest => ({
    ...{ withdrawalId: newId(), sellerId: newId(), description: null },
    ...{ pixKeyType: 'email', pixKey: 'maria@example.com', holder: null },
    ...asked,
  })

  test.each(['completed', 'processing'] as const)(
    `${name}: a payout is %s in the end, and the same one when asked again`,
    async (status) => {
      const under = create()
      const payouts = must(under.provider.payouts)
      const payout = request(under, await prepare(status))
      const key = { withdrawalId: payout.withdrawalId, reference: null }
      expect(await payouts.get(key, signal())).toEqual({ outcome: 'missing' })
      const first = accepted(await payouts.create(payout, signal()))
      const again = accepted(await payouts.create(payout, signal()))
      expect(again.payout.reference).toBe(first.payout.reference)
      await expect
        .poll(() => payouts.get({ ...key, reference: first.payout.reference }, signal()))
        .toMatchObject({ outcome: 'found', payout: { reference: first.payout.reference, state: { status } } })
    },
  )

  const expectRefused = async (under: ProviderUnderTest, payout: PayoutRequest): Promise<void> => {
    const payouts = must(under.provider.payouts)
    expect((await payouts.create(payout, signal())).outcome).toBe('refused')
    const key = { withdrawalId: payout.withdrawalId, reference: null }
    expect(await payouts.get(key, signal())).toEqual({ outcome: 'missing' })
  }

  test(`${name}: a refused payout leaves nothing behind`, async () => {
    const under = create()
    await expectRefused(under, request(under, await prepare('refused')))
  })

  test(`${name}: a payout goes to a key of its holder, and to nobody else's`, async () => {
    const under = create()
    const { amount } = await prepare('completed')
    const key = { pixKeyType: 'cnpj' as const, pixKey: '11222333000181' }
    const holder = { name: 'Padaria da Maria', document: '11222333000181' }
    accepted(await must(under.provider.payouts).create(request(under, { amount, ...key, holder }), signal()))
    const another = { name: null, document: '52998224725' }
    await expectRefused(under, request(under, { amount, ...key, holder: another }))
  })
}

const describeStatements = (name: string, create: Create): void => {
  test(`${name}: its statement has each Pix that came in and went back, once, in its period alone`, async () => {
    const under = create()
    const statements = must(under.provider.statements)
    const request = pixRequest(under)
    const { charge } = accepted(await must(under.provider.charges).create(request, signal()))
    const endToEndId = await under.payPix({ reference: charge.reference, amount: request.amount })
    const { paymentId, sellerId } = request
    const key = { paymentId, reference: charge.reference }
    const refund = { refundId: under.newId(), sellerId, charge: key, endToEndId, amount: centavos(100), reason: null }
    const { reference } = accepted(await must(under.provider.refunds).create(refund, signal())).refund
    const list = async (minutesAgo: number) => {
      const [from, to] = [minutesAgo, minutesAgo - 10].map((minutes) => new Date(Date.now() - minutes * 60_000))
      const lines = []
      for await (const line of statements.list({ from: from ?? new Date(), to: to ?? new Date() })) lines.push(line)
      return lines.filter((line) => [charge.reference, reference].includes(line.reference))
    }
    const lines = (await list(5)).toSorted((one, other) => one.kind.localeCompare(other.kind))
    expect(lines).toMatchObject([
      { kind: 'charge', reference: charge.reference, endToEndId, amount: 12_345, happenedAt: expect.any(Date) },
      { kind: 'refund', reference, amount: 100, happenedAt: expect.any(Date) },
    ])
    expect(await list(30)).toEqual([])
  })
}

const describeBalance = (name: string, create: Create): void => {
  test(`${name}: what lies on the account grows by what a payer pays`, async () => {
    const under = create()
    const balance = must(under.provider.balance)
    const held = async (): Promise<number> => {
      const result = await balance.get(signal())
      if (result.outcome !== 'found') throw new Error(`the balance is ${result.outcome}`)
      return result.balance.availableAmount + result.balance.disputedAmount
    }
    const before = await held()
    const request = pixRequest(under)
    const { charge } = accepted(await must(under.provider.charges).create(request, signal()))
    expect(await held()).toBe(before)
    await under.payPix({ reference: charge.reference, amount: request.amount })
    expect(await held()).toBe(before + 12_345)
  })
}

const describeCallbacks = (name: string, create: Create): void => {
  test(`${name}: a callback is taken only as the provider sends it`, () => {
    const { provider, callback } = create()
    expect(provider.callbacks.authenticate(callback())).toBe(true)
    expect(provider.callbacks.authenticate({ ...callback(), headers: {}, query: {} })).toBe(false)
  })

  test(`${name}: nonsense in a callback is refused`, async () => {
    const { provider } = create()
    await expect(async () => provider.callbacks.read('<html>')).rejects.toThrow(/not/)
    await expect(async () => provider.callbacks.read('{"some":"thing"}')).rejects.toThrow(/not/)
  })
}

/** What every provider promises, whatever it speaks. `create` gives one that is ready to be used. */
export const describeProviderContract = (
  name: string,
  { cards, payouts, balance }: ContractFacts,
  create: Create,
): void => {
  describePix(name, create)
  if (cards) describeCards(name, cards, create)
  if (cards) describeSavedCards(name, cards, create)
  describeRefunds(name, create)
  if (payouts) describePayouts(name, payouts, create)
  describeStatements(name, create)
  if (balance) describeBalance(name, create)
  describeCallbacks(name, create)

  test(`${name}: the provider says what it can do, and is tested for all of it`, () => {
    const { provider } = create()
    expect(provider.charges?.methods.pix).toBeDefined()
    expect(provider.charges?.methods.credit_card !== undefined).toBe(cards !== undefined)
    expect(provider.payouts !== undefined).toBe(payouts !== undefined)
    expect(provider.balance !== undefined).toBe(balance !== undefined)
  })
}
