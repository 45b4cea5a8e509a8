/** The five elements of each digit in Interleaved 2 of 5, by the standard's own weights 1, 2, 4, 7 and parity. */
const WEIGHTS = [1, 2, 4, 7] as const

const digitOf = (wide: readonly boolean[]): string => {
  if (wide.filter(Boolean).length !== 2) throw new Error('not two wide elements')
  const sum = WEIGHTS.reduce<number>((total, weight, index) => total + (wide[index] ? weight : 0), 0)
  // 4 + 7 stands for zero.
  return String(sum === 11 ? 0 : sum)
}

/** Reads a drawn Interleaved 2 of 5 barcode as a scanner does: from where its bars begin and how wide they are. */
export const readDrawnBarcode = (drawing: string): string => {
  const bars = [...drawing.matchAll(/M(\d+) 0h(\d+)v/g)].map(([, x, width]) => ({ x: Number(x), width: Number(width) }))
  const elements = bars.flatMap(({ x, width }, index) => {
    const next = bars[index + 1]
    return next === undefined ? [width] : [width, next.x - x - width]
  })
  const isStart = elements.slice(0, 4).join() === '1,1,1,1'
  const isStop = elements.slice(-3).join() === '3,1,1'
  if (!isStart || !isStop) throw new Error('no start or no stop')
  const body = elements.slice(4, -3).map((width) => width === 3)
  let digits = ''
  for (let at = 0; at < body.length; at += 10) {
    const pair = body.slice(at, at + 10)
    digits += digitOf(pair.filter((_, index) => index % 2 === 0)) + digitOf(pair.filter((_, index) => index % 2 === 1))
  }
  return digits
}
