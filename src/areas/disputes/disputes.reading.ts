import type { Readable } from 'node:stream'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Reads } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { disputeErrors } from './disputes.errors.ts'
import type { Dispute, DisputeFile } from './disputes.queries.ts'
import type { ListAllDisputesQuery, ListDisputesQuery } from './disputes.schemas.ts'
import { type DisputeView, disputeView } from './disputes.view.ts'

type Dependencies = { read: Pick<Reads, 'disputes' | 'users'>; storage: Pick<DocumentStorage, 'open'> }

/** What sellers and administrators see of disputes. */
export const createDisputeReading = ({ read, storage }: Dependencies) => {
  const viewsOf = async (rows: readonly Dispute[]): Promise<(row: Dispute) => DisputeView> => {
    const files = await read.disputes.listFiles(rows)
    return (row) =>
      disputeView(
        row,
        files.filter(({ disputeId }) => disputeId === row.id),
      )
  }

  const withSellers = async (rows: readonly Dispute[]) => {
    const viewOf = await viewsOf(rows)
    const sellers = await read.users.listByIds([...new Set(rows.map(({ sellerId }) => sellerId))])
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    return (row: Dispute) => {
      const seller = byId.get(row.sellerId)
      return {
        ...viewOf(row),
        sellerId: row.sellerId,
        sellerName: seller?.name ?? '',
        sellerEmail: seller?.email ?? '',
      }
    }
  }

  const findFor = async ({ role, sellerId }: Actor, id: string): Promise<Dispute> => {
    const row = role === 'admin' ? await read.disputes.findAnywhere(id) : await read.disputes.find(sellerId, id)
    if (row === undefined) throw disputeErrors.not_found()
    return row
  }

  return {
    /** Throws dispute.not_found. */
    async get(actor: Actor, id: string): Promise<DisputeView> {
      const row = await findFor(actor, id)
      return (await viewsOf([row]))(row)
    },

    /** A seller's own, newest first. */
    async list(actor: Actor, { page, ...filter }: ListDisputesQuery) {
      const found = await read.disputes.list({ ...filter, sellerId: actor.sellerId }, page)
      return toListResponse(found, page, await viewsOf(found.rows))
    },

    /** All sellers', for administrators. */
    async listAll({ page, ...filter }: ListAllDisputesQuery) {
      const found = await read.disputes.list(filter, page)
      return toListResponse(found, page, await withSellers(found.rows))
    },

    /** Any seller's dispute, for administrators. Throws dispute.not_found. */
    async getAny(actor: Actor, id: string) {
      const row = await findFor(actor, id)
      return (await withSellers([row]))(row)
    },

    /** A file of a defence, for its seller and for administrators. Throws dispute.not_found and dispute.file_not_found. */
    async openFile(actor: Actor, id: string, fileId: string): Promise<{ file: DisputeFile; content: Readable }> {
      const file = await read.disputes.findFile(await findFor(actor, id), fileId)
      if (file === undefined) throw disputeErrors.file_not_found()
      return { file, content: await storage.open(file.storageKey) }
    },
  }
}
