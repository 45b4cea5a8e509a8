import { existsSync } from 'node:fs'
import { chromium as driver } from 'playwright-core'

const USUAL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine: what CHROMIUM_PATH names, or a usual one. */
export const findChromium = (): string | undefined => process.env.CHROMIUM_PATH ?? USUAL_PATHS.find(existsSync)

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // What the browser itself asks the internet for is none of the page's doing.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export const startChromium = (executablePath: string) => driver.launch({ executablePath, headless: true, args: FLAGS })
