import type { FastifyBaseLogger } from 'fastify'
import type { SecretBox } from '../crypto/secret-box.ts'
import { type Place, SEALED_PLACES, type SealedRow, type SealedTextsRepository } from './sealed-texts.repository.ts'

type Dependencies = {
  sealedTexts: SealedTextsRepository
  secretBox: SecretBox
  /** Whether several keys are listed: with one there is nothing to do. */
  isRotating: boolean
  logger: Pick<FastifyBaseLogger, 'info'>
}

const ROWS_MAX = 500
const LAST_PLACE = SEALED_PLACES.length - 1

// Sealed texts have no character that JSON writes in another way, so they are found in documents as they are.
const SEALED_TEXT = /v1\.[\w-]+/g

const sealedIn = (text: string): string[] => text.match(SEALED_TEXT) ?? []

/** Where a pass over everything that is sealed has come to, and how many texts it left under older keys. */
type Pass = { place: number; after: string[] | undefined; left: number }

const fromTheStart = (): Pass => ({ place: 0, after: undefined, left: 0 })

/** Whether all that a text holds can be opened. */
export const canOpen = (secretBox: Pick<SecretBox, 'open'>, text: string): boolean => {
  try {
    for (const sealed of sealedIn(text)) secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}

/**
 * Seals again under the newest key what an older one sealed. A change that comes in between wins. May run in several
 * processes, with other lists of keys too: while they are restarted one after the other, each does its own.
 */
export const createReseal = ({ sealedTexts, secretBox, isRotating, logger }: Dependencies) => {
  let pass = fromTheStart()
  let hasSaid = false

  const reseal = async (place: Place, row: SealedRow): Promise<boolean> => {
    // What none of the keys opens is not ours to touch.
    if (!canOpen(secretBox, row.text)) return false
    const resealed = row.text.replaceAll(SEALED_TEXT, (sealed) => secretBox.seal(secretBox.open(sealed)))
    return sealedTexts.replace(place, row, resealed)
  }

  const end = (): void => {
    const { left } = pass
    pass = fromTheStart()
    if (left > 0 || hasSaid) return
    hasSaid = true
    logger.info(
      'nothing is sealed under older keys: once every process has this list, they can be taken from ENCRYPTION_KEY',
    )
  }

  const isOlder = ({ text }: SealedRow): boolean => !sealedIn(text).every(secretBox.isNewest)

  // The last place tells that all others are done, so it waits for them.
  const nextPlace = () => (pass.place === LAST_PLACE && pass.left > 0 ? undefined : SEALED_PLACES[pass.place])

  const resealSome = async (place: Place): Promise<number> => {
    const rows = await sealedTexts.list(place, pass.after, ROWS_MAX)
    for (const row of rows.filter(isOlder)) {
      if (await reseal(place, row)) hasSaid = false
      else pass.left += 1
    }
    const last = rows.at(-1)
    pass = last ? { ...pass, after: last.key } : { ...pass, place: pass.place + 1, after: undefined }
    return rows.length
  }

  return {
    /** Looks at the next rows. Answers how many: 0 is the end of a pass. */
    async runOnce(): Promise<number> {
      if (!isRotating) return 0
      for (let place = nextPlace(); place !== undefined; place = nextPlace()) {
        const looked = await resealSome(place)
        if (looked > 0) return looked
      }
      end()
      return 0
    },

    /** How many rows hold something that the newest key did not seal. */
    async countOlder(): Promise<number> {
      let count = 0
      if (!isRotating) return count
      for (const place of SEALED_PLACES) {
        let rows = await sealedTexts.list(place, undefined, ROWS_MAX)
        while (rows.length > 0) {
          count += rows.filter(isOlder).length
          rows = await sealedTexts.list(place, rows.at(-1)?.key, ROWS_MAX)
        }
      }
      return count
    },
  }
}
