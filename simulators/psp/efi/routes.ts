import type { Bank } from '../bank.ts'
import type { ApiServer } from '../http/operation.ts'
import { locationImageRoute } from '../standard/location-routes.ts'
import { balanceRoute } from './balance-route.ts'
import { infractionRoutes } from './infraction-routes.ts'
import { payoutRoute, sentPixRoutes } from './payout-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { resendRoute } from './resend-route.ts'

/** What Efí adds to the Central Bank's API. */
export const efiRoutes = (app: ApiServer, bank: Bank): void => {
  locationImageRoute(app, bank)
  payoutRoute(app, bank)
  sentPixRoutes(app, bank)
  balanceRoute(app, bank)
  infractionRoutes(app, bank)
  reportRoutes(app, bank)
  resendRoute(app, bank)
}
