import type { Bank } from '../bank.ts'
import type { ApiServer } from '../http/operation.ts'
import { chargeRoutes, dueChargeRoutes } from './charge-routes.ts'
import { locationRoutes } from './location-routes.ts'
import { pixRoutes, refundRoutes } from './pix-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** The Central Bank's API, at the addresses of the profile. */
export const standardRoutes = (app: ApiServer, bank: Bank): void => {
  tokenRoutes(app, bank)
  chargeRoutes(app, bank)
  dueChargeRoutes(app, bank)
  pixRoutes(app, bank)
  refundRoutes(app, bank)
  webhookRoutes(app, bank)
  locationRoutes(app, bank)
}
