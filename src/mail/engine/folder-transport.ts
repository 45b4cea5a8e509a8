import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailTransport } from './transport.ts'

/**
 * Writes mails into a folder instead of sending them, each a file that mail programs open, named after its id: one that is
 * sent twice is one file.
 */
export const createFolderTransport = (folder: string): MailTransport => ({
  async send({ mailId, raw }) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${mailId}.eml`)
    // Whoever looks at the folder sees whole files only.
    await writeFile(`${file}.part`, raw, { mode: 0o600 })
    await rename(`${file}.part`, file)
    return { kind: 'sent' }
  },
  close: () => undefined,
})
