import type { Readable } from 'node:stream'
import { pdfkit } from '../../packages-on-demand.ts'
import { A4, drawA4 } from './boleto.a4.ts'
import { drawPhone, PHONE } from './boleto.phone.ts'
import type { BoletoSheet } from './boleto.sheet.ts'
import { BOLETO_TEXTS } from './boleto.texts.ts'

export const BOLETO_SIZES = ['a4', 'phone'] as const
export type BoletoSize = (typeof BOLETO_SIZES)[number]

const FORMATS = {
  a4: { ...A4, draw: drawA4 },
  phone: { ...PHONE, draw: drawPhone },
} as const

/** A boleto as a PDF of one page. Every text on it ends where its box does, so that it costs the same whatever it says. */
export const boletoPdf = (sheet: BoletoSheet, size: BoletoSize, issuedAt: Date): Readable => {
  const { width, height, draw } = FORMATS[size]
  const { title, languageTag } = BOLETO_TEXTS[sheet.language]
  const PdfDocument = pdfkit()
  const pdf = new PdfDocument({
    size: [width, height],
    margin: 0,
    lang: languageTag,
    displayTitle: true,
    info: { Title: `${title} ${sheet.code}`, Author: sheet.payee.name, CreationDate: issuedAt },
  })
  draw(pdf, sheet)
  pdf.end()
  return pdf as unknown as Readable
}
