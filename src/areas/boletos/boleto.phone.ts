import { bars, cell, INK, type Pdf, rule, stamp, write } from './boleto.pen.ts'
import type { BoletoSheet } from './boleto.sheet.ts'
import { BOLETO_TEXTS } from './boleto.texts.ts'

/** Points: as wide as a phone, so that nothing has to be zoomed. */
export const PHONE = { width: 360, height: 720 }

const LEFT = 20
const WIDTH = PHONE.width - 2 * LEFT
const HALF = WIDTH / 2 - 6

const header = (pdf: Pdf, { payee, language, warning, accent }: BoletoSheet): void => {
  write(
    pdf,
    BOLETO_TEXTS[language].heading,
    { x: LEFT, y: 22, width: WIDTH, height: 12 },
    { size: 9, color: INK.muted },
  )
  write(pdf, payee.name, { x: LEFT, y: 37, width: WIDTH, height: 20 }, { size: 16, bold: true })
  if (payee.legal) write(pdf, payee.legal, { x: LEFT, y: 60, width: WIDTH, height: 23 }, { size: 9, color: INK.muted })
  rule(pdf, { x: LEFT, y: 90, width: WIDTH }, accent)
  if (warning)
    write(pdf, warning, { x: LEFT, y: 96, width: WIDTH, height: 12 }, { size: 9, bold: true, color: INK.bad })
}

const toPay = (pdf: Pdf, sheet: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[sheet.language]
  cell(pdf, texts.amount, sheet.amount, { x: LEFT, y: 118, width: HALF, height: 40 }, { size: 20, bold: true })
  const due = { x: LEFT + HALF + 12, y: 118, width: HALF, height: 40 }
  cell(pdf, texts.dueDate, sheet.dueDate, due, { size: 20, bold: true })
  if (sheet.over !== null) {
    stamp(pdf, sheet.over, { x: LEFT, y: 172, width: WIDTH, height: 60 })
    return
  }
  pdf.roundedRect(LEFT, 172, WIDTH, 56, 6).fillColor(INK.soft).fill()
  const line = { x: LEFT + 12, y: 181, width: WIDTH - 24, height: 50 }
  cell(pdf, texts.line, sheet.line, line, { size: 13, bold: true, mono: true })
  // The quiet zones are the margins of the page.
  bars(pdf, sheet.barcode, { x: LEFT, y: 244, width: WIDTH, height: 64 })
}

const facts = (pdf: Pdf, sheet: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[sheet.language]
  const { payee, bank } = sheet
  const rows = [
    [texts.subject, sheet.description],
    [texts.payer, sheet.payer],
    [texts.address, payee.address ?? payee.name],
    [texts.contact, payee.contact ?? payee.name],
    [texts.bank, `${bank.name} (${bank.code})`],
    [`${texts.issuedOn} · ${texts.code}`, `${sheet.issuedOn} · ${sheet.code}`],
  ] as const
  for (const [index, [label, value]] of rows.entries()) {
    const y = 326 + index * 42
    cell(pdf, label, value, { x: LEFT, y, width: WIDTH, height: 34 })
    rule(pdf, { x: LEFT, y: y + 36, width: WIDTH })
  }
}

/** A sheet for a small screen. */
export const drawPhone = (pdf: Pdf, sheet: BoletoSheet): void => {
  const texts = BOLETO_TEXTS[sheet.language]
  header(pdf, sheet)
  toPay(pdf, sheet)
  facts(pdf, sheet)
  if (sheet.over !== null) return
  write(
    pdf,
    texts.instructions,
    { x: LEFT, y: 592, width: WIDTH, height: 12 },
    { size: 9, bold: true, color: sheet.accent },
  )
  for (const [index, step] of texts.steps.entries()) {
    write(pdf, `${index + 1}. ${step}`, { x: LEFT, y: 610 + index * 27, width: WIDTH, height: 25 }, { size: 9 })
  }
}
