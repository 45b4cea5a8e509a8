import { bars, cell, INK, type Pdf, POINTS_PER_MM, rule, stamp, write } from './boleto.pen.ts'
import type { BoletoSheet } from './boleto.sheet.ts'
import { BOLETO_TEXTS } from './boleto.texts.ts'

/** Points. */
export const A4 = { width: 595.28, height: 841.89 }

const LEFT = 42
const WIDTH = A4.width - 2 * LEFT
const RIGHT = LEFT + WIDTH
const SLIP_TOP = 470
const AMOUNTS_WIDTH = 128

const header = (pdf: Pdf, { payee, language, warning, accent }: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[language]
  write(pdf, payee.name, { x: LEFT, y: 42, width: 340, height: 24 }, { size: 17, bold: true })
  const kind = { x: RIGHT - 170, y: 46, width: 170, height: 14 }
  write(pdf, texts.heading, kind, { size: 10, color: INK.muted, align: 'right' })
  const lines = [payee.legal, payee.address, payee.contact].filter((line) => line !== null)
  for (const [index, line] of lines.entries()) {
    write(pdf, line, { x: LEFT, y: 66 + index * 13, width: WIDTH, height: 12 }, { size: 8.5, color: INK.muted })
  }
  rule(pdf, { x: LEFT, y: 112, width: WIDTH }, accent)
  if (warning)
    write(pdf, warning, { x: LEFT, y: 118, width: WIDTH, height: 12 }, { size: 8.5, bold: true, color: INK.bad })
}

const copyForPayer = (pdf: Pdf, sheet: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[sheet.language]
  write(pdf, texts.receipt, { x: LEFT, y: 138, width: 250, height: 14 }, { size: 9, bold: true, color: sheet.accent })
  cell(pdf, texts.amount, sheet.amount, { x: LEFT, y: 160, width: 240, height: 42 }, { size: 24, bold: true })
  cell(pdf, texts.dueDate, sheet.dueDate, { x: LEFT + 256, y: 160, width: 240, height: 42 }, { size: 24, bold: true })
  const rows = [
    [texts.payer, sheet.payer, texts.issuedOn, sheet.issuedOn],
    [texts.subject, sheet.description, texts.bank, `${sheet.bank.name} (${sheet.bank.code})`],
  ] as const
  for (const [index, [label, value, otherLabel, other]] of rows.entries()) {
    const y = 216 + index * 38
    cell(pdf, label, value, { x: LEFT, y, width: 244, height: 34 })
    cell(pdf, otherLabel, other, { x: LEFT + 256, y, width: 130, height: 34 })
  }
  cell(pdf, texts.code, sheet.code, { x: LEFT + 390, y: 216, width: WIDTH - 390, height: 34 })
}

const howToPay = (pdf: Pdf, { language, line, over, accent }: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[language]
  const box = { x: LEFT, y: 300, width: WIDTH, height: 46 }
  if (over !== null) {
    stamp(pdf, over, box)
    return
  }
  pdf.roundedRect(box.x, box.y, box.width, box.height, 6).fillColor(INK.soft).fill()
  const place = { x: LEFT + 14, y: box.y + 8, width: WIDTH - 28, height: 32 }
  cell(pdf, texts.line, line, place, { size: 13.5, bold: true, mono: true })
  write(pdf, texts.instructions, { x: LEFT, y: 362, width: WIDTH, height: 12 }, { size: 9, bold: true, color: accent })
  for (const [index, step] of texts.steps.entries()) {
    write(pdf, `${index + 1}. ${step}`, { x: LEFT, y: 378 + index * 15, width: WIDTH, height: 13 }, { size: 9 })
  }
}

const cut = (pdf: Pdf, { language }: BoletoSheet): void => {
  const y = SLIP_TOP - 24
  pdf.moveTo(LEFT, y).lineTo(RIGHT, y).dash(3, { space: 3 }).lineWidth(0.75).strokeColor(INK.line).stroke().undash()
  const place = { x: LEFT, y: y - 11, width: WIDTH, height: 9 }
  write(pdf, BOLETO_TEXTS[language].cut, place, { size: 7, color: INK.muted, align: 'right' })
}

const slipHead = (pdf: Pdf, { bank, line, over }: BoletoSheet): void => {
  write(pdf, bank.name, { x: LEFT, y: SLIP_TOP, width: 110, height: 16 }, { size: 12, bold: true })
  pdf.moveTo(LEFT + 116, SLIP_TOP - 2).lineTo(LEFT + 116, SLIP_TOP + 18)
  pdf.moveTo(LEFT + 166, SLIP_TOP - 2).lineTo(LEFT + 166, SLIP_TOP + 18)
  pdf.lineWidth(1).strokeColor(INK.text).stroke()
  write(
    pdf,
    bank.code,
    { x: LEFT + 118, y: SLIP_TOP, width: 46, height: 18 },
    { size: 14, bold: true, align: 'center' },
  )
  const place = { x: LEFT + 172, y: SLIP_TOP + 3, width: WIDTH - 172, height: 14 }
  if (over === null) write(pdf, line, place, { size: 10.5, bold: true, align: 'right' })
  rule(pdf, { x: LEFT, y: SLIP_TOP + 20, width: WIDTH }, INK.text)
}

// The slip is for tellers and machines in Brazil (FEBRABAN’s layout): its labels are Portuguese in every language.
const slip = (pdf: Pdf, sheet: BoletoSheet): void => {
  const { payee, code } = sheet
  const wide = WIDTH - AMOUNTS_WIDTH - 12
  const right = RIGHT - AMOUNTS_WIDTH
  const end = { align: 'right', bold: true } as const
  const top = SLIP_TOP + 26
  cell(pdf, 'Local de pagamento', 'Pagável em qualquer banco até o vencimento', {
    x: LEFT,
    y: top,
    width: wide,
    height: 24,
  })
  cell(pdf, 'Vencimento', sheet.dueDate, { x: right, y: top, width: AMOUNTS_WIDTH, height: 24 }, end)
  const named = payee.legal === null ? payee.name : `${payee.name} · ${payee.legal}`
  cell(pdf, 'Beneficiário', named, { x: LEFT, y: top + 30, width: wide, height: 24 })
  write(pdf, payee.address ?? '', { x: LEFT, y: top + 53, width: wide, height: 11 }, { size: 8, color: INK.muted })
  cell(pdf, '(=) Valor do documento', sheet.amount, { x: right, y: top + 30, width: AMOUNTS_WIDTH, height: 24 }, end)
  const row = [
    ['Data do documento', sheet.issuedOn, 90],
    ['Nº do documento', code, 112],
    ['Espécie doc.', 'DM', 56],
    ['Aceite', 'N', 40],
    ['Espécie', 'R$', 60],
  ] as const
  let x = LEFT
  for (const [label, value, width] of row) {
    cell(pdf, label, value, { x, y: top + 70, width: width - 6, height: 24 })
    x += width
  }
  cell(pdf, '(=) Valor cobrado', '', { x: right, y: top + 70, width: AMOUNTS_WIDTH, height: 24 }, end)
  for (const y of [26, 66, 96, 142]) rule(pdf, { x: LEFT, y: top + y, width: WIDTH })
  pdf
    .moveTo(right - 6, top - 6)
    .lineTo(right - 6, top + 96)
    .lineWidth(0.75)
    .strokeColor(INK.line)
    .stroke()
}

const slipFoot = (pdf: Pdf, sheet: BoletoSheet): void => {
  const top = SLIP_TOP + 26
  const orders = joinedOrders(sheet)
  cell(pdf, 'Instruções (de responsabilidade do beneficiário)', orders, {
    x: LEFT,
    y: top + 102,
    width: WIDTH,
    height: 36,
  })
  cell(pdf, 'Pagador', sheet.payer, { x: LEFT, y: top + 148, width: WIDTH, height: 24 })
  const place = { x: LEFT + 10 * (103 / 405) * POINTS_PER_MM, y: top + 186, width: 103 * POINTS_PER_MM }
  // FEBRABAN: 103 mm of bars, 13 mm high, with a quiet zone on both sides.
  if (sheet.over === null) bars(pdf, sheet.barcode, { ...place, height: 13 * POINTS_PER_MM })
  else stamp(pdf, sheet.over, { x: LEFT, y: place.y, width: WIDTH, height: 40 })
  const mark = { x: RIGHT - 190, y: top + 176, width: 190, height: 10 }
  write(pdf, 'Autenticação mecânica · Ficha de compensação', mark, { size: 7, color: INK.muted, align: 'right' })
}

const joinedOrders = ({ description }: BoletoSheet): string =>
  ['Não receber após o vencimento, salvo no primeiro dia útil seguinte quando ele não for dia útil.', description]
    .filter((text) => text !== '')
    .join(' · ')

/** A sheet for the printer: what the payer keeps, and below the cut what the bank reads. */
export const drawA4 = (pdf: Pdf, sheet: BoletoSheet): void => {
  header(pdf, sheet)
  copyForPayer(pdf, sheet)
  howToPay(pdf, sheet)
  cut(pdf, sheet)
  slipHead(pdf, sheet)
  slip(pdf, sheet)
  slipFoot(pdf, sheet)
}
