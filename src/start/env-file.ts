import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartError } from './start-error.ts'

const file = resolve('.env')

/** The line that says that there is no .env in the working folder, or undefined where there is one. */
export const missingEnvFile = (): string | undefined =>
  existsSync(file) ? undefined : `There is no ${file}: only variables of the shell and defaults hold.`

/** Adds what .env says to the environment; what the shell says wins. Throws StartError where it cannot be read. */
export const readEnvFile = (): void => {
  try {
    if (existsSync(file)) process.loadEnvFile(file)
  } catch (cause) {
    throw new StartError(`${file} cannot be read. Let this account read it, or take it away.`, { cause })
  }
}
