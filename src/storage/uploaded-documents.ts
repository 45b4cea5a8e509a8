import { DOCUMENT_CONTENT_TYPES, type DocumentContentType } from '../domain/company-document.ts'
import { looksLikeCardNumber } from '../domain/luhn.ts'
import type { InputFault } from '../errors.ts'
import type { UploadedFile } from './uploads.ts'

export const FILE_NAME_MAX = 150

const EXTENSIONS: Readonly<Record<DocumentContentType, readonly string[]>> = {
  'application/pdf': ['.pdf'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
}

// Control characters and those that turn the direction of the text, which make `gpj.exe` read as `exe.jpg`.
const UNSEEN = /[\p{Control}\p{Format}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}]/gu

/** A client's file name as a harmless one: no folders, nothing unseen, bounded, and ending as its content does. */
export const harmlessFileName = (given: string, contentType: DocumentContentType): string => {
  const [extension = '', ...others] = EXTENSIONS[contentType]
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const name = last
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const ends = [extension, ...others].find((candidate) => name.toLowerCase().endsWith(candidate))
  const stem = ends === undefined ? name : name.slice(0, -ends.length)
  const short = [...stem]
    .slice(0, FILE_NAME_MAX / 2)
    .join('')
    .trim()
  return `${short === '' ? 'document' : short}${ends ?? extension}`
}

const isDocument = (mime: string | undefined): mime is DocumentContentType =>
  DOCUMENT_CONTENT_TYPES.some((type) => type === mime)

/** What a file is by its content, when that is a kind that is taken: PDF, JPEG or PNG. */
export const sniffDocument = async ({ path }: UploadedFile): Promise<DocumentContentType | undefined> => {
  // Loaded with the first file, and not by processes that take none.
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path)
  return isDocument(found?.mime) ? found.mime : undefined
}

export type FormFault = Pick<InputFault, 'path' | 'code' | 'message'>

/** What is wrong with the files of a form that takes them in the field `file`. */
export const fileFaults = (files: readonly UploadedFile[]): FormFault[] =>
  files.flatMap(({ field, sizeBytes, fileName }, index) => {
    const path = `file.${index}`
    if (field !== 'file')
      return [{ path: field, code: 'unknown_field', message: 'This operation does not take this file.' }]
    if (sizeBytes === 0) return [{ path, code: 'empty_file', message: 'The file is empty.' }]
    return looksLikeCardNumber(fileName)
      ? [{ path, code: 'card_number', message: 'The name of the file looks like a card number.' }]
      : []
  })
