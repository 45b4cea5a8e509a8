import { join } from 'node:path'
import { staticFiles } from '../http/static-files.ts'

/** What is served under /pay/assets/. */
export const checkoutFiles = staticFiles(join(import.meta.dirname, 'assets'))

const urlOf = (name: string): string => `/pay/assets/${checkoutFiles.version}/${name}`

/** Where the pages find their style and their script. */
export const STYLE_URL = urlOf('checkout.css')
export const SCRIPT_URL = urlOf('checkout.js')

/** What the script imports, to be loaded with it and not one after the other. */
export const MODULE_URLS = checkoutFiles.names
  .filter((name) => name.endsWith('.js') && name !== 'checkout.js')
  .map(urlOf)
