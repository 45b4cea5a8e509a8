import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LISTED_MAX = 100
const FILE = /^([\w-]{1,64})\.eml$/

/** A mail as its recipient would see it. */
export type KeptMail = { id: string; to: string; subject: string; date: string; html: string; text: string }

/** The mails that were written into a folder instead of being sent. */
export const createMailFolder = (folder: string) => {
  const read = async (id: string): Promise<KeptMail | undefined> => {
    const bytes = await readFile(join(folder, `${id}.eml`)).catch(() => undefined)
    if (bytes === undefined) return undefined
    // Only developers look at mails here: what reads them is loaded when one does.
    const { default: PostalMime } = await import('postal-mime')
    const { to, subject = '', date = '', html = '', text = '' } = await PostalMime.parse(bytes)
    return { id, to: to?.[0]?.address ?? '', subject, date, html, text }
  }

  return {
    /** Undefined: there is no such mail. */
    find: async (id: string): Promise<KeptMail | undefined> => (FILE.test(`${id}.eml`) ? read(id) : undefined),

    /** The newest hundred, newest first. */
    async list(): Promise<KeptMail[]> {
      const names = await readdir(folder).catch(() => [])
      // Files are named after ids, which sort by time.
      const ids = names.flatMap((name) => FILE.exec(name)?.[1] ?? []).sort()
      const found = await Promise.all(ids.reverse().slice(0, LISTED_MAX).map(read))
      return found.filter((mail) => mail !== undefined)
    },
  }
}

export type MailFolder = ReturnType<typeof createMailFolder>
