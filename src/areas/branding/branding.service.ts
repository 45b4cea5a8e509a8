import type { Readable } from 'node:stream'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { quotaOf } from '../../domain/seller-quota.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { createStoring } from '../../storage/storing.ts'
import type { ReceiveUpload } from '../../storage/uploads.ts'
import { sellerLookupErrors } from '../sellers/sellers.errors.ts'
import type { User } from '../users/users.repository.ts'
import { isHolder } from '../users/users.view.ts'
import { brandingErrors } from './branding.errors.ts'
import type { Branding, Logo } from './branding.repository.ts'
import type { UpdateBrandingBody } from './branding.schemas.ts'
import { type BrandingView, brandingView, type LogoUrl } from './branding.view.ts'
import { type JudgedLogo, judgeLogo } from './logo-file.ts'

type Dependencies = {
  read: Pick<Reads, 'branding' | 'users'>
  transact: Transact
  storage: DocumentStorage
  clock: Clock
  newId: NewId
  logoUrl: LogoUrl
}

/** The key under which the file of a logo lies. */
export const logoKey = (id: string): string => `logos/${id}`

const newLogo = (sellerId: string, id: string, file: JudgedLogo, now: Date): Logo => {
  const { contentType, sizeBytes, sha256, width, height } = file
  return { sellerId, id, contentType, sizeBytes, sha256, width, height, createdAt: now, removedAt: null }
}

// Everything that changes what a seller's payers see waits here for each other, and for the end of the account.
const lockSeller = async (tx: Repositories, sellerId: string): Promise<User> => {
  const seller = await tx.users.lock(sellerId)
  if (seller === undefined || !isHolder(seller)) throw sellerLookupErrors.not_found()
  return seller
}

const refuseBeyondQuota = async (tx: Repositories, seller: User): Promise<void> => {
  if ((await tx.branding.countLogos(seller.id)) >= quotaOf(seller).logosMax) throw brandingErrors.quota_reached()
}

const audited = ({ color, logo }: Branding) => ({ color, logoId: logo?.id ?? null })

/** What payers see of a seller beside the name: a logo and a colour. */
export const createBrandingService = (dependencies: Dependencies) => {
  const { read, transact, storage, clock, newId, logoUrl } = dependencies
  const storing = createStoring(storage)

  /** Writes down who changed what, and answers how it is now. */
  const note = async (tx: Repositories, actor: Actor, sellerId: string, before: Branding): Promise<BrandingView> => {
    const after = await tx.branding.find(sellerId)
    const target = { targetType: 'branding', targetId: sellerId, sellerId }
    const change = { before: audited(before), after: audited(after) }
    await tx.audit.add({ actor, action: 'branding.update', ...target, ...change }, clock.now())
    return brandingView(sellerId, after, logoUrl)
  }

  const replaceLogo = async (tx: Repositories, actor: Actor, logo: Logo): Promise<BrandingView | undefined> => {
    const { sellerId } = logo
    const seller = await lockSeller(tx, sellerId)
    const before = await tx.branding.find(sellerId)
    // The same image keeps its address.
    if (before.logo?.sha256 === logo.sha256) return undefined
    await refuseBeyondQuota(tx, seller)
    await tx.branding.removeLogo(sellerId, logo.createdAt)
    await tx.branding.insertLogo(logo)
    await tx.branding.put(sellerId, {}, logo.createdAt)
    return note(tx, actor, sellerId, before)
  }

  const get = async (sellerId: string): Promise<BrandingView> =>
    brandingView(sellerId, await read.branding.find(sellerId), logoUrl)

  return {
    /** Of a seller who has chosen nothing, everything is null. */
    get: (actor: Actor): Promise<BrandingView> => get(actor.sellerId),

    /** Chooses a colour. */
    async update(actor: Actor, { color }: UpdateBrandingBody, precondition?: Precondition): Promise<BrandingView> {
      const { sellerId } = actor
      return transact(async (tx) => {
        await lockSeller(tx, sellerId)
        const before = await tx.branding.find(sellerId)
        precondition?.(brandingView(sellerId, before, logoUrl))
        if (before.color === color) return brandingView(sellerId, before, logoUrl)
        await tx.branding.put(sellerId, { color }, clock.now())
        return note(tx, actor, sellerId, before)
      })
    },

    /** Takes a logo in place of the one before. Throws branding.quota_reached and what judgeLogo throws. */
    async setLogo(actor: Actor, receive: ReceiveUpload): Promise<BrandingView> {
      return receive(async (upload) => {
        const file = await judgeLogo(upload)
        const logo = newLogo(actor.sellerId, newId(), file, clock.now())
        let isSame = false
        const write = async () => {
          const view = await transact((tx) => replaceLogo(tx, actor, logo))
          isSame = view === undefined
          return view ?? get(actor.sellerId)
        }
        return storing([{ key: logoKey(logo.id), file }], write, () => isSame)
      })
    },

    /** Quiet when there is none: it is no longer served at once, and its file goes within the hour. Throws seller.not_found. */
    async removeLogo(actor: Actor, sellerId: string): Promise<void> {
      await transact(async (tx) => {
        await lockSeller(tx, sellerId)
        const before = await tx.branding.find(sellerId)
        if (!(await tx.branding.removeLogo(sellerId, clock.now()))) return
        await tx.branding.put(sellerId, {}, clock.now())
        await note(tx, actor, sellerId, before)
      })
    },

    /** The image itself, for anybody. Throws branding.logo_not_found. */
    async openLogo(id: string): Promise<{ logo: Logo; content: Readable }> {
      const logo = await read.branding.findLogo(id)
      if (logo === undefined) throw brandingErrors.logo_not_found()
      return { logo, content: await storage.open(logoKey(id)) }
    },
  }
}

export type BrandingService = ReturnType<typeof createBrandingService>
