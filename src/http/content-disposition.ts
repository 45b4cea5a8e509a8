import { create } from 'content-disposition'

// A percent sign is taken for an escape by some clients, a quote or backslash for one by others.
const inAscii = (fileName: string): string =>
  fileName
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')

/** The header that makes a browser save a file under this name (RFC 6266): in ASCII for old clients, whole for others. */
export const attachment = (fileName: string): string => create(fileName, { fallback: inAscii(fileName) })

/** The header that lets a browser show a file, and save it under this name. */
export const inline = (fileName: string): string => create(fileName, { type: 'inline', fallback: inAscii(fileName) })
