import type { Language } from '../../domain/language.ts'

const portuguese = {
  languageTag: 'pt-BR',
  title: 'Boleto',
  subject: 'Referente a',
  heading: 'Boleto bancário',
  receipt: 'Recibo do pagador',
  address: 'Endereço do beneficiário',
  payer: 'Pagador',
  bank: 'Banco',
  issuedOn: 'Emissão',
  dueDate: 'Vencimento',
  amount: 'Valor',
  code: 'Código do pagamento',
  line: 'Linha digitável',
  contact: 'Contato',
  instructions: 'Como pagar',
  steps: [
    'Pague em qualquer banco, aplicativo ou lotérica até o vencimento: leia o código de barras ou digite a linha.',
    'Confira o nome do beneficiário, o CNPJ e o valor antes de confirmar.',
    'A confirmação leva até 2 dias úteis.',
  ],
  cut: 'Corte aqui',
  test: 'Ambiente de testes: este boleto não pode ser pago.',
  over: {
    paid: 'Este boleto já foi pago. Não pague de novo.',
    ended: 'Este boleto não vale mais. Não pague: peça outro a quem o enviou.',
  },
}

type Texts = typeof portuguese

const english: Texts = {
  languageTag: 'en-US',
  title: 'Boleto',
  subject: 'For',
  heading: 'Boleto (Brazilian bank slip)',
  receipt: 'Payer’s copy',
  address: 'Payee’s address',
  payer: 'Payer',
  bank: 'Bank',
  issuedOn: 'Issued on',
  dueDate: 'Due date',
  amount: 'Amount',
  code: 'Payment code',
  line: 'Number to type',
  contact: 'Contact',
  instructions: 'How to pay',
  steps: [
    'Pay at any bank, banking app or lottery shop by the due date: scan the barcode or type the number.',
    'Check the payee’s name, its CNPJ and the amount before you confirm.',
    'Confirmation takes up to 2 business days.',
  ],
  cut: 'Cut here',
  test: 'Test environment: this boleto cannot be paid.',
  over: {
    paid: 'This boleto has been paid. Do not pay it again.',
    ended: 'This boleto is no longer valid. Do not pay it: ask for another one.',
  },
}

export const BOLETO_TEXTS: Readonly<Record<Language, Texts>> = { pt: portuguese, en: english }
