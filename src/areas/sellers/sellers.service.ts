import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import { invariant } from '../../domain/invariant.ts'
import { lastDays } from '../../domain/period.ts'
import type { Reads } from '../../repositories.ts'
import { brandingSummaryView, type LogoUrl } from '../branding/branding.view.ts'
import type { DashboardService } from '../dashboard/dashboard.service.ts'
import { reserveConfigView } from '../reserves/reserves.view.ts'
import { adminUserView } from '../users/users.view.ts'
import { withdrawalConfigView } from '../withdrawals/withdrawal-configs.view.ts'
import { sellerLookupErrors } from './sellers.errors.ts'
import type { Seller } from './sellers.queries.ts'
import { COMPANIES_IN_LIST, COMPANIES_MAX, EVENTS_SHOWN, type SellersQuery } from './sellers.schemas.ts'
import { sellersCompanyView, sellersEventView, sellerView } from './sellers.view.ts'

type Dependencies = {
  read: Pick<Reads, 'branding' | 'sellers' | 'companies' | 'ledger' | 'events' | 'withdrawalConfigs' | 'reserveConfigs'>
  dashboard: Pick<DashboardService, 'getSummaryOf'>
  clock: Clock
  logoUrl: LogoUrl
}

const asked = (flag: 'true' | 'false' | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true'

/** Sellers as administrators look after them. */
export const createSellersService = ({ read, dashboard, clock, logoUrl }: Dependencies) => {
  const configsOf = async ({ id, name: sellerName, email: sellerEmail }: Seller) => {
    const [withdrawals, reserve] = await Promise.all([
      read.withdrawalConfigs.findBySeller(id),
      read.reserveConfigs.findBySeller(id),
    ])
    invariant(withdrawals !== undefined && reserve !== undefined, 'every seller is given both when they register')
    return {
      withdrawalConfig: withdrawalConfigView({ config: withdrawals, sellerName, sellerEmail }),
      reserveConfig: reserveConfigView({ config: reserve, sellerName, sellerEmail }),
    }
  }

  return {
    /** Newest first. */
    async list({ page, isApproved, isBlocked, ...filter }: SellersQuery) {
      const flags = { isApproved: asked(isApproved), isBlocked: asked(isBlocked) }
      const found = await read.sellers.list({ ...filter, ...flags }, page)
      const ids = found.rows.map(({ id }) => id)
      const [companies, available] = await Promise.all([
        read.companies.listOf(ids, COMPANIES_IN_LIST),
        read.ledger.findBalancesOf('available', ids),
      ])
      const bySeller = Map.groupBy(companies, ({ sellerId }) => sellerId)
      return toListResponse(found, page, (one) => sellerView(one, bySeller.get(one.id) ?? [], available.get(one.id)))
    },

    /** Everything about one. Throws seller.not_found. */
    async get(id: string) {
      const seller = await read.sellers.find(id)
      if (seller === undefined) throw sellerLookupErrors.not_found()
      const [companies, configs, summary, events, branding] = await Promise.all([
        read.companies.listOf([id], COMPANIES_MAX),
        configsOf(seller),
        dashboard.getSummaryOf(id, lastDays(clock.now())),
        read.events.listNewest(id, EVENTS_SHOWN),
        read.branding.find(id),
      ])
      const { balance, period, payments, byMethod, withdrawals } = summary
      return {
        id,
        user: adminUserView(seller),
        companies: companies.map(sellersCompanyView),
        branding: brandingSummaryView(branding, logoUrl),
        balance,
        ...configs,
        last30Days: { period, payments, byMethod, withdrawnAmount: withdrawals.completedAmount },
        lastEvents: events.map(sellersEventView),
      }
    },
  }
}

export type SellersService = ReturnType<typeof createSellersService>
