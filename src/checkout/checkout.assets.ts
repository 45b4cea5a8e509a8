import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinedModules, type StaticFile, staticFile } from '../http/static-files.ts'

const fileAt = (name: string): string => join(import.meta.dirname, 'assets', name)

// Each after those that it imports.
const MODULES = ['swap.js', 'tax-id.js', 'form-checks.js', 'card-frame.js', 'form.js', 'payment.js', 'checkout.js']

const style = staticFile('checkout', 'css', readFileSync(fileAt('checkout.css'), 'utf8'))

const script = staticFile('checkout', 'js', joinedModules(MODULES.map(fileAt)))

const urlOf = ({ name }: StaticFile): string => `/pay/assets/${name}`

/** Where the pages find their style and their script. */
export const STYLE_URL = urlOf(style)
export const SCRIPT_URL = urlOf(script)

/** What is served under /pay/assets/, by name. */
export const checkoutFiles: ReadonlyMap<string, StaticFile> = new Map([style, script].map((file) => [file.name, file]))
