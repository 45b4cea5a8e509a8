import type { Services } from '../compose.ts'
import { SecretBoxError } from '../crypto/secret-box.ts'
import { StartError } from './start-error.ts'

const WRONG_KEY =
  'ENCRYPTION_KEY does not open what this database holds. Set it to the key that sealed it, or add that one behind the new one and a comma: see "Rotating keys" in docs/operations.md.'

/** Notes the keys of this start. Throws StartError where they are not those of the database. */
export const keepKeys = async ({ chainKeys }: Pick<Services, 'chainKeys'>): Promise<void> => {
  try {
    await chainKeys.keep()
  } catch (error) {
    throw error instanceof SecretBoxError ? new StartError(WRONG_KEY, { cause: error }) : error
  }
}
