import { DOCUMENT_TYPES, type DocumentContentType, type DocumentType } from '../../domain/company-document.ts'
import { requestErrors } from '../../errors.ts'
import { type FormFault, fileFaults, harmlessFileName, sniffDocument } from '../../storage/uploaded-documents.ts'
import type { Upload, UploadedFile } from '../../storage/uploads.ts'
import { documentErrors } from './companies.errors.ts'

/** A file that was found to be what a document may be. */
export type JudgedFile = UploadedFile & { type: DocumentType; contentType: DocumentContentType }

const textFaults = (texts: Upload['texts']): FormFault[] =>
  texts.flatMap(({ field, value }, index) => {
    if (field !== 'type')
      return [{ path: field, code: 'unknown_field', message: 'This operation does not take this field.' }]
    const known = DOCUMENT_TYPES.some((type) => type === value)
    return known
      ? []
      : [{ path: `type.${index}`, code: 'invalid_value', message: `must be one of ${DOCUMENT_TYPES.join(', ')}` }]
  })

const refuse = (faults: readonly FormFault[]): void => {
  if (faults.length > 0) throw requestErrors.failed({ errors: faults.map((fault) => ({ in: 'body', ...fault })) })
}

const sniff = async (file: UploadedFile): Promise<DocumentContentType> => {
  const contentType = await sniffDocument(file)
  if (contentType === undefined) throw documentErrors.type_not_supported()
  return contentType
}

const typeOf = (value: string | undefined): DocumentType | undefined => DOCUMENT_TYPES.find((type) => type === value)

const judge = async (file: UploadedFile, type: DocumentType): Promise<JudgedFile> => {
  const contentType = await sniff(file)
  return { ...file, fileName: harmlessFileName(file.fileName, contentType), type, contentType }
}

/**
 * The files of a form with their types: the first type belongs to the first file, and so on.
 * Throws validation.failed with every fault at once, and document.type_not_supported by content.
 */
export const judgeFiles = async ({ texts, files }: Upload): Promise<JudgedFile[]> => {
  const counted: FormFault[] = []
  if (files.length === 0) counted.push({ path: 'file', code: 'required', message: 'Send at least one file.' })
  if (texts.length !== files.length)
    counted.push({ path: 'type', code: 'required', message: 'Send one type for each file.' })
  refuse([...counted, ...textFaults(texts), ...fileFaults(files)])
  return Promise.all(files.map((file, index) => judge(file, typeOf(texts[index]?.value) ?? 'other')))
}

/** The one file of a form, of the given type unless the form names another. Throws as judgeFiles. */
export const judgeReplacement = async ({ texts, files }: Upload, type: DocumentType): Promise<JudgedFile> => {
  const [file, ...others] = files
  const counted: FormFault[] = []
  if (!file || others.length > 0) counted.push({ path: 'file', code: 'required', message: 'Send exactly one file.' })
  if (texts.length > 1) counted.push({ path: 'type', code: 'too_big', message: 'Send at most one type.' })
  refuse([...counted, ...textFaults(texts), ...fileFaults(files)])
  if (!file) throw requestErrors.failed()
  return judge(file, typeOf(texts[0]?.value) ?? type)
}
