import { qrcode } from './packages-on-demand.ts'

/** In the order in which they are preferred. */
export const QR_CODE_TYPES = ['image/svg+xml', 'image/png'] as const

export type QrCodeType = (typeof QR_CODE_TYPES)[number]

const PNG_WIDTH_PX = 512

/** A text as an image that cameras and banks' apps can scan. */
export const qrCodeImage = (text: string, type: QrCodeType): Promise<string | Buffer> =>
  type === 'image/png'
    ? qrcode().toBuffer(text, { width: PNG_WIDTH_PX, errorCorrectionLevel: 'M' })
    : qrcode().toString(text, { type: 'svg', errorCorrectionLevel: 'M' })
