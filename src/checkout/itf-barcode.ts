import { itfBars } from '../domain/itf.ts'
import { type Html, html } from '../html.ts'

const QUIET_MODULES = 10
const HEIGHT_MODULES = 51

/** A barcode of digits as Interleaved 2 of 5: a drawing with its quiet zones. Throws a RangeError on an odd number of them. */
export const itfBarcode = (digits: string, label: string): Html => {
  const bars = itfBars(digits)
  const last = bars.at(-1)
  const path = bars.map(({ x, width }) => `M${x + QUIET_MODULES} 0h${width}v${HEIGHT_MODULES}h-${width}z`).join('')
  const box = `0 0 ${(last?.x ?? 0) + (last?.width ?? 0) + 2 * QUIET_MODULES} ${HEIGHT_MODULES}`
  return html`<svg class="barcode" viewBox="${box}" role="img" aria-label="${label}" shape-rendering="crispEdges" preserveAspectRatio="none"><path d="${path}"/></svg>`
}
