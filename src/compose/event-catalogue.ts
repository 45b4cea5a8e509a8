import { adjustmentEvents } from '../areas/adjustments/adjustments.events.ts'
import { companyEvents } from '../areas/companies/company-events.catalogue.ts'
import { disputeEvents } from '../areas/disputes/dispute-events.catalogue.ts'
import { credentialsEvents } from '../areas/integrations/credentials-events.catalogue.ts'
import { paymentLinkEvents } from '../areas/payment-links/payment-link-events.catalogue.ts'
import { paymentEvents } from '../areas/payments/payment-events.catalogue.ts'
import { reconciliationEvents } from '../areas/reconciliation/reconciliation.events.ts'
import { refundEvents } from '../areas/refunds/refund-events.catalogue.ts'
import { reserveEvents } from '../areas/reserves/reserve-events.catalogue.ts'
import { teamEvents } from '../areas/team/team-events.catalogue.ts'
import { sellerEvents } from '../areas/users/seller-events.catalogue.ts'
import { userEvents } from '../areas/users/user-events.catalogue.ts'
import { withdrawalEvents } from '../areas/withdrawals/withdrawal-events.catalogue.ts'
import { type EventEntries, listEntries } from '../events/event-catalogue.ts'
import { webhookEvents } from '../webhooks/api/webhook-events.catalogue.ts'

// The areas each know their own events; together they are the whole list, or this does not compile.
const ENTRIES: EventEntries = {
  ...companyEvents,
  ...paymentEvents,
  ...refundEvents,
  ...disputeEvents,
  ...paymentLinkEvents,
  ...withdrawalEvents,
  ...reserveEvents,
  ...adjustmentEvents,
  ...reconciliationEvents,
  ...sellerEvents,
  ...userEvents,
  ...teamEvents,
  ...credentialsEvents,
  ...webhookEvents,
}

/** Every type of event with what receivers are told of it, in the order of the list of types. */
export const EVENT_CATALOGUE = listEntries(ENTRIES)
