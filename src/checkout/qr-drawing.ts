import { type Html, html } from '../html.ts'
import { qrcode } from '../packages-on-demand.ts'

const QUIET_MODULES = 4

// The dark modules of a row as runs, each drawn by one stroke along its middle.
const rowPath = (row: readonly number[], y: number): string => {
  const runs = row.join('').matchAll(/1+/g)
  return [...runs].map(({ index, 0: run }) => `M${index + QUIET_MODULES} ${y}h${run.length}`).join('')
}

/** A QR code as a drawing with its quiet zone: one path, so that it stays small. */
export const qrDrawing = (text: string, label: string): Html => {
  const { size, data } = qrcode().create(text, { errorCorrectionLevel: 'M' }).modules
  const rows = Array.from({ length: size }, (_, row) => [...data.slice(row * size, (row + 1) * size)])
  const path = rows.map((row, index) => rowPath(row, index + QUIET_MODULES + 0.5)).join('')
  const side = size + 2 * QUIET_MODULES
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path stroke="#000" d="${path}"/></svg>`
}
