import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { until } from './until.ts'

/** The mails to an address that a platform of development wrote into files, oldest first. */
export const mailsTo = async (dataDir: string, address: string): Promise<Email[]> => {
  const folder = join(dataDir, 'mail')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  return mails.filter(({ to }) => to?.some((recipient) => recipient.address === address))
}

/** The token of the link in the newest mail that an address got, for its page. */
export const tokenOf = ({ text = '' }: Email, page: string): string | undefined =>
  new RegExp(`/account/${page}#token=([\\w-]+)`).exec(text)?.[1]

/** Waits for a mail whose link leads to a page, and answers the link's token. */
export const awaitToken = (dataDir: string, address: string, page: string): Promise<string> =>
  until(`a mail for ${page}`, async () =>
    (await mailsTo(dataDir, address)).map((mail) => tokenOf(mail, page)).findLast((token) => token !== undefined),
  )
