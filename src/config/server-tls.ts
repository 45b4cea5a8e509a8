import { z } from 'zod'

const path = z.string().min(1).max(1_000)

export const serverTlsVariables = { TLS_CERTIFICATE_FILE: path.optional(), TLS_CERTIFICATE_KEY_FILE: path.optional() }

/** What the server shows to who speaks TLS up to it. Absent: it speaks plain HTTP, to a proxy in front. */
export type ServerTlsConfig = Readonly<{ file: string; keyFile: string }> | undefined

type Given = Readonly<Record<string, string | undefined>>

/** One line for a file without the other. */
export const serverTlsFaults = ({ TLS_CERTIFICATE_FILE: file, TLS_CERTIFICATE_KEY_FILE: keyFile }: Given): string[] => {
  if ((file === undefined) === (keyFile === undefined)) return []
  const missing = file === undefined ? 'TLS_CERTIFICATE_FILE' : 'TLS_CERTIFICATE_KEY_FILE'
  return [`${missing}: must be set, as the other file of the server's certificate is`]
}

export const serverTlsOf = (data: z.output<z.ZodObject<typeof serverTlsVariables>>): ServerTlsConfig => {
  const { TLS_CERTIFICATE_FILE: file, TLS_CERTIFICATE_KEY_FILE: keyFile } = data
  return file === undefined || keyFile === undefined ? undefined : Object.freeze({ file, keyFile })
}
