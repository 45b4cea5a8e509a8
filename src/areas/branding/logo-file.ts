import { readFile } from 'node:fs/promises'
import { isLogoSize, LOGO_CONTENT_TYPES, LOGO_PIXELS, type LogoContentType, type LogoSize } from '../../domain/logo.ts'
import { requestErrors } from '../../errors.ts'
import { type FormFault, fileFaults, sniffDocument } from '../../storage/uploaded-documents.ts'
import type { Upload, UploadedFile } from '../../storage/uploads.ts'
import { brandingErrors } from './branding.errors.ts'

/** A file that was found to be what a logo may be. */
export type JudgedLogo = UploadedFile & LogoSize & { contentType: LogoContentType }

const TYPES: Readonly<Record<LogoContentType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' }

const sniff = async (file: UploadedFile): Promise<LogoContentType> => {
  const found = await sniffDocument(file)
  const contentType = LOGO_CONTENT_TYPES.find((type) => type === found)
  if (contentType === undefined) throw brandingErrors.logo_type_not_supported()
  return contentType
}

const measure = async ({ path }: UploadedFile, contentType: LogoContentType): Promise<LogoSize> => {
  // Loaded with the first logo, and not by processes that take none.
  const { imageSize } = await import('image-size')
  const image = await readFile(path)
  try {
    const { type, width, height } = imageSize(image)
    if (type === TYPES[contentType]) return { width, height }
  } catch {
    // It says of what is broken only that it is.
  }
  throw brandingErrors.logo_type_not_supported()
}

const tooSmallOrLarge = ({ width, height }: LogoSize): string =>
  `This image has ${width} × ${height} pixels. A logo has ${LOGO_PIXELS.min} to ${LOGO_PIXELS.max} in each direction: scale it.`

/**
 * The one file of a form as a logo. Throws validation.failed with every fault at once, and by content
 * branding.logo_type_not_supported, also of a broken image, and branding.logo_dimensions.
 */
export const judgeLogo = async ({ texts, files }: Upload): Promise<JudgedLogo> => {
  const [file, ...others] = files
  const faults: FormFault[] = texts.map(({ field }) => ({
    path: field,
    code: 'unknown_field',
    message: 'This operation does not take this field.',
  }))
  if (!file || others.length > 0) faults.push({ path: 'file', code: 'required', message: 'Send exactly one file.' })
  faults.push(...fileFaults(files))
  if (!file || faults.length > 0) {
    throw requestErrors.failed({ errors: faults.map((fault) => ({ in: 'body', ...fault })) })
  }
  const contentType = await sniff(file)
  const size = await measure(file, contentType)
  if (!isLogoSize(size)) throw brandingErrors.logo_dimensions({ detail: tooSmallOrLarge(size) })
  return { ...file, ...size, contentType }
}
