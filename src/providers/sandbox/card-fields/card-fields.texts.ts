const portuguese = {
  locale: 'pt-BR',
  title: 'Dados do cartão',
  number: 'Número do cartão',
  expiry: 'Validade',
  expiryHint: 'MM/AA',
  code: 'Código',
  codeHint: 'CVV',
  wrongNumber: 'Confira o número do cartão.',
  wrongExpiry: 'Confira a validade, como 08/30.',
  wrongCode: 'Confira o código de segurança.',
  test: 'Ambiente de testes: use só números de teste.',
}

type CardFieldsTexts = typeof portuguese

const english: CardFieldsTexts = {
  locale: 'en',
  title: 'Card details',
  number: 'Card number',
  expiry: 'Expiry',
  expiryHint: 'MM/YY',
  code: 'Code',
  codeHint: 'CVV',
  wrongNumber: 'Check the card number.',
  wrongExpiry: 'Check the expiry date, like 08/30.',
  wrongCode: 'Check the security code.',
  test: 'Test environment: use test numbers only.',
}

/** What the fields say, in the language that their address asks for. */
export const cardFieldsTexts = (language: string | null): CardFieldsTexts => (language === 'en' ? english : portuguese)
