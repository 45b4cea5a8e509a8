// What may stand unescaped in an extended parameter (RFC 8187, attr-char), less what encodeURIComponent escapes anyway.
const NOT_ATTR_CHAR = /['()*]/g

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** The header that makes a browser save a file under this name (RFC 6266): in ASCII for old clients, whole for others. */
export const attachment = (fileName: string): string => {
  const ascii = fileName
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(NOT_ATTR_CHAR, percent)}`
}
