import { createCanvas } from '@napi-rs/canvas'

type Drawn = { width?: number; height?: number; color?: string; type?: 'image/png' | 'image/jpeg' }

/** An image that browsers draw, with a mark that tells which side is up. */
export const imageBytes = ({ width = 64, height = 64, color = '#7a1fa2', type = 'image/png' }: Drawn = {}): Buffer => {
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = color
  pen.fillRect(0, 0, width, height / 2)
  pen.fillRect(width / 4, height / 2, width / 2, height / 2)
  return type === 'image/png' ? canvas.toBuffer(type) : canvas.toBuffer(type, 90)
}

/** A form with one file. */
export const fileForm = (bytes: Buffer, name = 'logo.png'): FormData => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}
