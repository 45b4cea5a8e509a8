import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const FOLDER = dirname(require.resolve('pdfjs-dist/package.json'))

/** A page as a picture, with its text. */
export type PdfPage = { png: Buffer; text: string; widthPoints: number; heightPoints: number }

/** The pages of a PDF as a viewer shows them, `scale` pixels to a point. */
export const pdfPages = async (bytes: Uint8Array, scale = 2): Promise<PdfPage[]> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const { createCanvas } = await import('@napi-rs/canvas')
  const document = await getDocument({
    data: new Uint8Array(bytes),
    standardFontDataUrl: `${join(FOLDER, 'standard_fonts')}/`,
    verbosity: 0,
  }).promise
  const pages: PdfPage[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const viewport = page.getViewport({ scale })
    const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
    await page.render({ canvas: canvas as never, canvasContext: canvas.getContext('2d') as never, viewport }).promise
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    pages.push({
      png: canvas.toBuffer('image/png'),
      text,
      widthPoints: viewport.width / scale,
      heightPoints: viewport.height / scale,
    })
  }
  await document.destroy()
  return pages
}
