import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentCode } from '../../src/domain/payment-code.ts'
import { writtenTaxId } from '../../src/domain/tax-id.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { Seller } from '../support/factories.ts'
import { createLink, putLink, sellerWithLink } from '../support/payment-links.ts'
import { errorBeside, hiddenField, openPage, type PageAnswer, sendForm } from '../support/payment-pages.ts'
import { getPayment, pay } from '../support/payments.ts'

let app: TestApp
let seller: Seller

const METHODS = ['pix', 'boleto', 'credit_card']
const PAYER = { name: 'Francisco da Silva', document: '529.982.247-25', email: 'francisco@example.com' }
const CARD = { ...PAYER, method: 'credit_card', installments: '1', cardToken: 'tok_visa_abcdefgh_1111' }

beforeAll(async () => {
  app = await startTestApp()
  ;({ seller } = await sellerWithLink(app))
})

afterAll(() => app.close())

type Fields = Record<string, string>

/** A payer at a link: what their browser knows, and how they send its form. */
const visit = async (fields: Record<string, unknown> = {}) => {
  const link = await createLink(app, seller, { methods: METHODS, maxInstallments: 3, ...fields })
  const path = `/pay/${link.hash}`
  const first = await openPage(app, path)
  const hiddenOf = (page: PageAnswer): Fields => ({
    nonce: hiddenField(page, 'nonce'),
    after: hiddenField(page, 'after'),
    replaces: hiddenField(page, 'replaces'),
    ...(link.amount === null ? {} : { amount: hiddenField(page, 'amount') }),
  })
  const send = (page: PageAnswer, typed: Fields) =>
    sendForm(app, path, { ...hiddenOf(page), ...typed }, { cookie: page.cookie })
  return { link, path, first, send, reopen: (page: PageAnswer) => openPage(app, path, { cookie: page.cookie }) }
}

const paymentsOf = async ({ id }: { id: string }) =>
  (await app.sql.query('select * from payments where payment_link_id = $1 order by id', [id])).rows

const idOf = ({ location }: PageAnswer): string => location?.split('/').at(-1) ?? ''

describe('POST /pay/{hash}', () => {
  test('303: a Pix needs nothing but a click', async () => {
    const { link, path, first, send } = await visit()
    const sent = await send(first, { method: 'pix', name: 'left over', document: '1' })
    expect([sent.status, sent.location?.startsWith(`${path}/payments/`)]).toEqual([303, true])
    const payment = await getPayment(app, seller, idOf(sent))
    expect(payment).toMatchObject({ method: 'pix', amount: 10_000, paymentLinkId: link.id, customer: null })
    const page = await openPage(app, sent.location ?? '')
    expect(page.text).toContain(payment.pix.qrCode)
    expect(page.text).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>')
    expect(page.text).toContain('class="qr"')
  })

  test('303: a boleto asks who pays, and shows line, barcode and due date', async () => {
    const { first, send } = await visit()
    const sent = await send(first, { method: 'boleto', ...PAYER })
    const payment = await getPayment(app, seller, idOf(sent))
    expect(payment.customer).toMatchObject({ name: PAYER.name, document: '52998224725', email: null })
    const { text } = await openPage(app, sent.location ?? '')
    expect(text).toContain(`data-copy="${payment.boleto.line}"`)
    expect(text).toContain('class="barcode"')
    expect(text).not.toContain('52998224725')
    expect(text).not.toContain(PAYER.name)
  })

  test('303: a card is charged by its token, in installments', async () => {
    const { first, send } = await visit()
    const sent = await send(first, { ...CARD, installments: '3' })
    const payment = await getPayment(app, seller, idOf(sent))
    expect(payment).toMatchObject({ status: 'paid', installments: 3, card: { brand: 'visa', last4: '1111' } })
    const { text } = await openPage(app, sent.location ?? '')
    expect(text).toContain('Visa final 1111, em 3×')
    expect(text).not.toContain('http-equiv="refresh"')
  })

  test('303: an open amount is read as people write it', async () => {
    const { first, send } = await visit({ amount: null, minAmount: 500, maxAmount: 200_000 })
    const sent = await send(first, { method: 'pix', amount: 'R$ 1.234,50' })
    expect((await getPayment(app, seller, idOf(sent))).amount).toBe(123_450)
  })

  test('303: a declined card says so, and can be tried again', async () => {
    const { link, first, send, reopen } = await visit()
    const declined = await send(first, { ...CARD, cardToken: 'tok_visa_abcdefgh_0002' })
    const { text } = await openPage(app, declined.location ?? '', { cookie: declined.cookie })
    expect(text).toContain('O cartão não foi aprovado')
    const again = await reopen(declined)
    expect(hiddenField(again, 'after')).toBe(idOf(declined))
    const paid = await send(again, CARD)
    expect(await paymentsOf(link)).toMatchObject([{ status: 'failed' }, { status: 'paid', id: idOf(paid) }])
  })
})

describe('a form that is not right', () => {
  test('400: every fault stands beside its field, and what was typed is kept', async () => {
    const { link, first, send } = await visit()
    const typed = { method: 'boleto', name: '', document: '529.982.247-26' }
    const page = await send(first, typed)
    expect(page.status).toBe(400)
    expect(errorBeside(page, 'name')).toBe('Informe seu nome completo.')
    expect(errorBeside(page, 'document')).toContain('não é válido')
    expect(page.text).toContain('value="529.982.247-26"')
    expect(page.text).toMatch(/name="method" value="boleto" checked/)
    expect(page.text).toMatch(
      /id="document"[^>]*aria-describedby="document-hint document-error"[^>]*aria-invalid="true"/,
    )
    expect(page.text).toContain('<a href="#document">')
    expect(await paymentsOf(link)).toEqual([])
    expect((await send(page, { ...typed, ...PAYER })).status).toBe(303)
  })

  test('400: what a card needs is asked for at once', async () => {
    const { first, send } = await visit()
    const page = await send(first, { method: 'credit_card' })
    for (const field of ['name', 'document', 'email', 'card'])
      expect([field, errorBeside(page, field)]).toEqual([field, expect.any(String)])
  })

  test.each([
    ['', 'Informe o valor'],
    ['4,99', 'De R$'],
    ['2000,01', 'De R$'],
    ['muito', 'De R$'],
    ['-5', 'De R$'],
  ])('400: the amount "%s" of an open link', async (amount, sentence) => {
    const { first, send } = await visit({ amount: null, minAmount: 500, maxAmount: 200_000 })
    const page = await send(first, { method: 'pix', amount })
    expect([page.status, errorBeside(page, 'amount')]).toEqual([400, expect.stringContaining(sentence)])
  })

  test.each([
    ['method', { method: 'cash' }],
    ['method', { method: '' }],
    ['installments', { ...CARD, installments: '12' }],
    ['installments', { ...CARD, installments: 'x' }],
    ['card', { ...CARD, cardToken: '' }],
    ['email', { ...CARD, email: 'nobody' }],
  ])('400: %s', async (field, typed) => {
    const { link, first, send } = await visit()
    const page = await send(first, typed)
    expect([page.status, errorBeside(page, field)]).toEqual([400, expect.any(String)])
    expect(await paymentsOf(link)).toEqual([])
  })

  test('400: a method that the link does not take', async () => {
    const { first, send } = await visit({ methods: ['pix'], maxInstallments: 1 })
    expect((await send(first, { method: 'boleto', ...PAYER })).status).toBe(400)
  })

  test('400: a card number is refused beside its field, and neither shown nor kept', async () => {
    const { link, first, send } = await visit()
    for (const field of ['name', 'email', 'cardToken']) {
      const page = await send(first, { ...CARD, [field]: '4111 1111 1111 1111' })
      expect([field, page.status]).toEqual([field, 400])
      expect(page.text).toContain('Não escreva números de cartão aqui')
      expect(page.text).not.toContain('4111 1111')
    }
    expect(await paymentsOf(link)).toEqual([])
  })

  test('400: what was typed cannot become markup', async () => {
    const { first, send } = await visit()
    const hostile = `"><script>alert(1)</script>'`
    const typed = {
      method: hostile.slice(0, 20),
      name: hostile,
      document: hostile,
      email: hostile,
      installments: '"><',
    }
    for (const method of ['boleto', 'credit_card', typed.method]) {
      const { text } = await send(first, { ...typed, method })
      expect(text).toContain('&lt;script&gt;alert(1)')
      expect(text).not.toMatch(/<script>|value=""><script/)
    }
  })

  test('409: an amount that changed meanwhile is shown before it is paid', async () => {
    const { link, first, send } = await visit()
    expect((await putLink(app, seller, link, { amount: 20_000, methods: METHODS })).status).toBe(200)
    const page = await send(first, { method: 'pix' })
    expect([page.status, page.text.includes('mudou'), page.text.includes('R$\u00a0200,00')]).toEqual([409, true, true])
    const sent = await send(page, { method: 'pix' })
    expect((await getPayment(app, seller, idOf(sent))).amount).toBe(20_000)
  })

  test('409 and 410: a link that ended meanwhile', async () => {
    const paused = await visit()
    await putLink(app, seller, paused.link, { status: 'inactive' })
    const page = await paused.send(paused.first, { method: 'pix' })
    expect([page.status, page.text.includes('pausado')]).toEqual([409, true])
    const gone = await visit()
    await app.api.delete(`payment-links/${gone.link.id}`, { token: seller.token })
    expect((await gone.send(gone.first, { method: 'pix' })).status).toBe(410)
  })

  test('409: all places taken by others', async () => {
    const { first, send, path } = await visit({ maxPayments: 1 })
    const other = await openPage(app, path)
    expect((await send(other, { method: 'pix' })).status).toBe(303)
    const page = await send(first, { method: 'pix' })
    expect([page.status, page.text.includes('em pagamento por outras pessoas')]).toEqual([409, true])
  })
})

describe('one payer pays once', () => {
  test('a double click, and ten of them, are one payment', async () => {
    const { link, first, send } = await visit()
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(first, CARD)))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([303]))
    expect(new Set(sent.map(({ location }) => location)).size).toBe(1)
    expect((await paymentsOf(link)).length).toBe(1)
  })

  test('without cookies a form that is sent again is the same payment', async () => {
    const { link, first, send } = await visit()
    const bare = { ...first, cookie: '' }
    const [one, two] = [await send(bare, { method: 'pix' }), await send(bare, { method: 'pix' })]
    expect(two.location).toBe(one.location)
    expect((await paymentsOf(link)).length).toBe(1)
  })

  test('a second tab leads to the payment of the first, also with another method', async () => {
    const { link, path, first, send, reopen } = await visit()
    const secondTab = await reopen(first)
    const paid = await send(first, CARD)
    const late = await send({ ...secondTab, cookie: paid.cookie }, { method: 'boleto', ...PAYER })
    expect(late.location).toBe(paid.location)
    expect((await paymentsOf(link)).length).toBe(1)
    const racing = await Promise.all([
      sendForm(app, path, { nonce: hiddenField(first, 'nonce'), method: 'pix', after: '' }, { cookie: first.cookie }),
      sendForm(app, path, { nonce: hiddenField(first, 'nonce'), method: 'pix', after: '' }, { cookie: first.cookie }),
    ])
    expect(new Set(racing.map(({ location }) => location))).toEqual(new Set([paid.location]))
  })

  test('the back button shows the open payment, and another one only when it is asked for', async () => {
    const { link, path, first, send, reopen } = await visit()
    const sent = await send(first, { method: 'pix' })
    const back = await reopen(sent)
    expect([back.status, back.text.includes('Você já começou a pagar'), back.text.includes('<form')]).toEqual([
      200,
      true,
      false,
    ])
    expect(back.text).toContain(`href="${sent.location}"`)
    const again = await openPage(app, `${path}?again=${idOf(sent)}`, { cookie: sent.cookie })
    const other = await send(again, { method: 'boleto', ...PAYER })
    expect(other.location).not.toBe(sent.location)
    expect((await paymentsOf(link)).length).toBe(2)
  })

  test('another method takes the place of an open payment, at once where the link takes only one', async () => {
    const { link, path, first, send } = await visit({ maxPayments: 1 })
    const sent = await send(first, { method: 'pix' })
    const again = await openPage(app, `${path}?again=${idOf(sent)}`, { cookie: sent.cookie })
    expect(again.text).toContain('deixa de valer')
    const wrong = await send(again, { method: 'boleto', ...PAYER, document: '1' })
    expect(await getPayment(app, seller, idOf(sent))).toMatchObject({ status: 'pending' })
    const answers = await Promise.all([1, 2, 3].map(() => send(wrong, { method: 'boleto', ...PAYER })))
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
    expect(await paymentsOf(link)).toMatchObject([
      { method: 'pix', status: 'canceled' },
      { method: 'boleto', status: 'pending', id: answers[0] && idOf(answers[0]) },
    ])
  })

  test('an open payment that is paid before another one takes its place is the one that is shown', async () => {
    const { link, path, first, send } = await visit()
    const sent = await send(first, { method: 'pix' })
    const again = await openPage(app, `${path}?again=${idOf(sent)}`, { cookie: sent.cookie })
    expect((await pay(app, seller, idOf(sent))).status).toBe(202)
    const late = await send(again, CARD)
    expect([late.status, late.location]).toEqual([303, sent.location])
    expect(await paymentsOf(link)).toMatchObject([{ status: 'paid' }])
  })

  test('nobody else’s open payment ends: the cookie says whose it is', async () => {
    const { link, path, first, send } = await visit()
    const sent = await send(first, { method: 'pix' })
    const stranger = await openPage(app, path)
    const forged = { nonce: hiddenField(stranger, 'nonce'), after: idOf(sent), replaces: idOf(sent), amount: '100,00' }
    await sendForm(app, path, { ...forged, method: 'pix' }, { cookie: stranger.cookie })
    expect(await paymentsOf(link)).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  })

  test('the back button after paying shows that it is paid', async () => {
    const { first, send, reopen } = await visit()
    const sent = await send(first, CARD)
    const back = await reopen(sent)
    expect([back.text.includes('Você já pagou'), back.text.includes('<form')]).toEqual([true, false])
  })

  test('a payment of another link is not this payer’s', async () => {
    const [one, other] = [await visit(), await visit()]
    const sent = await one.send(one.first, { method: 'pix' })
    const page = await openPage(app, other.path, { cookie: sent.cookie })
    expect(page.text).toContain('<form')
  })
})

describe('the page of a payment', () => {
  const sentPayment = async (fields: Record<string, unknown>, typed: Fields) => {
    const made = await visit(fields)
    const sent = await made.send(made.first, typed)
    return { ...made, id: idOf(sent), page: () => openPage(app, sent.location ?? '') }
  }

  test('leads back to the shop once it is paid, and nowhere else', async () => {
    const { id, page } = await sentPayment(
      { successUrl: 'https://loja.example.com/obrigado?a=1&b=2' },
      { method: 'pix' },
    )
    expect((await page()).text).not.toContain('loja.example.com')
    expect((await pay(app, seller, id)).status).toBe(202)
    const { text } = await page()
    expect(text).toContain('href="https://loja.example.com/obrigado?a=1&amp;b=2" rel="noreferrer"')
    expect(text).toContain('data-leave')
  })

  test('does not send a payer away who looks at the receipt later', async () => {
    const { id, page } = await sentPayment({ successUrl: 'https://loja.example.com/obrigado' }, CARD)
    await app.sql.query("update payments set paid_at = paid_at - interval '10 minutes' where id = $1", [id])
    const { text } = await page()
    expect([text.includes('loja.example.com'), text.includes('data-leave')]).toEqual([true, false])
  })

  test('says that time is over, that it was canceled, and that money went back', async () => {
    const expired = await sentPayment({}, { method: 'pix' })
    await app.api.post(`sandbox/payments/${expired.id}/expire`, { token: seller.token })
    expect((await expired.page()).text).toContain('O prazo deste pagamento acabou')
    const canceled = await sentPayment({}, { method: 'boleto', ...PAYER })
    await app.api.post(`payments/${canceled.id}/cancel`, { token: seller.token })
    expect((await canceled.page()).text).toContain('Este pagamento foi cancelado')
    const paid = await sentPayment({}, CARD)
    await app.sql.query("update payments set status = 'refunded' where id = $1", [paid.id])
    const { text } = await paid.page()
    for (const part of ['Pagamento devolvido', 'Código do pagamento', 'contato@padaria.com.br'])
      expect(text).toContain(part)
  })

  test('is a receipt with a code, who was paid and how to reach them', async () => {
    const { id, page } = await sentPayment({}, { method: 'pix' })
    await pay(app, seller, id)
    const { text } = await page()
    const { body } = await app.api.get('companies', { token: seller.token })
    const { pix } = await getPayment(app, seller, id)
    for (const said of [
      paymentCode(id),
      pix.endToEndId,
      'Maria da Silva Pães Ltda',
      `CNPJ ${writtenTaxId(body.data[0].cnpj)}`,
      'href="mailto:contato@padaria.com.br"',
      'href="tel:+5511987654321"',
    ])
      expect(text).toContain(said)
  })

  test('of which too little was paid says how much is missing', async () => {
    const { id, page, reopen, first } = await sentPayment({}, { method: 'pix' })
    await app.api.post(`sandbox/payments/${id}/pay`, { token: seller.token, body: { amount: 6_000 } })
    const { text } = await page()
    for (const said of [
      'R$\u00a0100,00',
      'R$\u00a060,00',
      'R$\u00a040,00',
      'Faltou',
      paymentCode(id),
      'contato@padaria',
    ])
      expect(text).toContain(said)
    expect(text).not.toContain('class="qr"')
    expect((await reopen(first)).text).toContain('<form')
  })

  test('waits for a card whose answer was lost, and says so honestly once that takes long', async () => {
    const { id, page } = await sentPayment({}, { ...CARD, cardToken: 'tok_visa_abcdefgh_0006' })
    const { text } = await page()
    expect([text.includes('Estamos confirmando'), text.includes('data-open="yes"')]).toEqual([true, true])
    expect(text).toMatch(/class="late" data-late-in="\d{4,5}" hidden/)
    await app.sql.query("update payments set created_at = created_at - interval '1 minute' where id = $1", [id])
    const late = await page()
    expect(late.text).toMatch(/class="late" data-late-in="0" ></)
    for (const said of ['ainda não respondeu', paymentCode(id), 'contato@padaria.com.br'])
      expect(late.text).toContain(said)
  })

  test('is there for those who paid, also when the link is gone', async () => {
    const { id, link, page } = await sentPayment({}, { method: 'pix' })
    await app.api.delete(`payment-links/${link.id}`, { token: seller.token })
    const { status, text } = await page()
    expect([status, text.includes(id)]).toEqual([200, true])
  })
})
