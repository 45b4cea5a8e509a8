import { type Html, html } from '../html.ts'

/** Which two of a digit's five elements are wide (ISO/IEC 16390). */
const WIDE = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'] as const

/** FEBRABAN: a wide element is three narrow ones, which makes 405 modules for 44 digits, 103 mm in print. */
const WIDE_MODULES = 3
const QUIET_MODULES = 10
const HEIGHT_MODULES = 51

const START = [1, 1, 1, 1]
const STOP = [WIDE_MODULES, 1, 1]

const widthsOf = (digit: string): number[] =>
  [...(WIDE[Number(digit)] ?? '')].map((element) => (element === '1' ? WIDE_MODULES : 1))

/**
 * The widths of the bars and spaces of digits as Interleaved 2 of 5, in modules, beginning with a bar. Throws a
 * RangeError on anything but an even number of digits.
 */
export const itfWidths = (digits: string): number[] => {
  if (!/^(?:\d\d)+$/.test(digits)) throw new RangeError('not an even number of digits')
  const pairs = digits.match(/\d\d/g) ?? []
  const body = pairs.flatMap(([bars = '', spaces = '']) => {
    const spaceWidths = widthsOf(spaces)
    return widthsOf(bars).flatMap((bar, index) => [bar, spaceWidths[index] ?? 1])
  })
  return [...START, ...body, ...STOP]
}

/** The barcode as a drawing with its quiet zones. */
export const itfBarcode = (digits: string, label: string): Html => {
  let x = QUIET_MODULES
  let path = ''
  for (const [index, width] of itfWidths(digits).entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${HEIGHT_MODULES}h-${width}z`
    x += width
  }
  const box = `0 0 ${x + QUIET_MODULES} ${HEIGHT_MODULES}`
  return html`<svg class="barcode" viewBox="${box}" role="img" aria-label="${label}" shape-rendering="crispEdges" preserveAspectRatio="none"><path d="${path}"/></svg>`
}
