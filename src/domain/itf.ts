/** Which two of a digit's five elements are wide (ISO/IEC 16390). */
const WIDE = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'] as const

/** FEBRABAN: a wide element is three narrow ones, which makes 405 modules for 44 digits, 103 mm in print. */
const WIDE_MODULES = 3

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

/** Where the bars of digits stand and how wide they are, in modules from the first one. Throws as `itfWidths` does. */
export const itfBars = (digits: string): { x: number; width: number }[] => {
  const bars: { x: number; width: number }[] = []
  let x = 0
  for (const [index, width] of itfWidths(digits).entries()) {
    if (index % 2 === 0) bars.push({ x, width })
    x += width
  }
  return bars
}
