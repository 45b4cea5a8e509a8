import { qrcode } from '../packages-on-demand.ts'

export type QrCodeType = 'image/svg+xml' | 'image/png'

const PNG_WIDTH_PX = 512

/** A text as an image that cameras and banks' apps can scan. */
export const qrCodeImage = (text: string, type: QrCodeType): Promise<string | Buffer> =>
  type === 'image/png'
    ? qrcode().toBuffer(text, { width: PNG_WIDTH_PX, errorCorrectionLevel: 'M' })
    : qrcode().toString(text, { type: 'svg', errorCorrectionLevel: 'M' })

/** The type of image that an Accept header asks for: SVG unless only PNG is welcome. */
export const qrCodeType = (accept: string | undefined): QrCodeType => {
  const wanted = (accept ?? '').toLowerCase()
  const welcomesSvg = wanted === '' || /image\/svg\+xml|image\/\*|\*\/\*/.test(wanted)
  return wanted.includes('image/png') && !wanted.includes('image/svg+xml')
    ? 'image/png'
    : welcomesSvg
      ? SVG
      : 'image/png'
}

const SVG = 'image/svg+xml' as const
