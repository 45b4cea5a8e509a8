import { itfBars } from '../../domain/itf.ts'

export type Pdf = PDFKit.PDFDocument

/** A place on a page, in points from its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

export const INK = {
  text: '#13211b',
  muted: '#52625a',
  line: '#b9c6bf',
  soft: '#f2f4f3',
  bad: '#b3261e',
}

export const POINTS_PER_MM = 72 / 25.4

const BARS_MODULES = 405

// The fonts of every PDF reader know the letters of Western Europe. Embedding others would make a boleto of a hundred kilobytes.
const UNKNOWN = /[^\x20-\x7e\xa0-\xff–—‘’“”•…€]/gu

/** A text with the letters that the fonts have, others without their marks or as `?`. */
export const printable = (text: string): string =>
  text.replace(UNKNOWN, (letter) => (/\s/.test(letter) ? ' ' : letter.normalize('NFD').replace(UNKNOWN, '') || '?'))

type Style = { size: number; bold?: boolean; mono?: boolean; color?: string; align?: 'left' | 'right' | 'center' }

const fontOf = ({ bold = false, mono = false }: Style): string => {
  if (mono) return bold ? 'Courier-Bold' : 'Courier'
  return bold ? 'Helvetica-Bold' : 'Helvetica'
}

/** Writes a text into a box and never beyond it: what does not fit ends in an ellipsis. */
export const write = (pdf: Pdf, text: string, box: Box, style: Style): void => {
  const { x, y, width, height } = box
  pdf
    .font(fontOf(style))
    .fontSize(style.size)
    .fillColor(style.color ?? INK.text)
  pdf.text(printable(text), x, y, { width, height, ellipsis: true, align: style.align ?? 'left', lineGap: 1 })
}

/** A label with its value below it. */
export const cell = (pdf: Pdf, label: string, value: string, box: Box, style: Partial<Style> = {}): void => {
  const { x, y, width, height } = box
  write(pdf, label, { x, y, width, height: 9 }, { size: 7, color: INK.muted, align: style.align ?? 'left' })
  write(pdf, value, { x, y: y + 10, width, height: height - 10 }, { size: 9.5, ...style })
}

export const rule = (pdf: Pdf, { x, y, width }: Omit<Box, 'height'>, color = INK.line): void => {
  pdf
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.75)
    .strokeColor(color)
    .stroke()
}

/** The bars of 44 digits, as wide as the box is. */
export const bars = (pdf: Pdf, digits: string, { x, y, width, height }: Box): void => {
  const module = width / BARS_MODULES
  for (const bar of itfBars(digits)) pdf.rect(x + bar.x * module, y, bar.width * module, height)
  pdf.fillColor('#000').fill()
}

/** What stands where line and bars would, once a boleto is not to be paid any more. */
export const stamp = (pdf: Pdf, text: string, { x, y, width, height }: Box): void => {
  pdf.roundedRect(x, y, width, height, 6).lineWidth(1).strokeColor(INK.bad).stroke()
  write(
    pdf,
    text,
    { x: x + 12, y: y + 10, width: width - 24, height: height - 14 },
    { size: 11, bold: true, color: INK.bad },
  )
}
