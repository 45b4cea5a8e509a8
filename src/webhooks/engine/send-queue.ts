import type { ClaimedDelivery } from './claim.ts'

type Line = { waiting: ClaimedDelivery[]; active: number }

type Options = {
  /** Calls under way to one endpoint. */
  perEndpointMax: number
  /** Sends one delivery. Never rejects. */
  send: (delivery: ClaimedDelivery) => Promise<void>
}

/** Claimed deliveries in this process: each endpoint has a line of its own, so that a slow one holds up only itself. */
export const createSendQueue = ({ perEndpointMax, send }: Options) => {
  const lines = new Map<string, Line>()
  let active = 0

  const run = async (webhookId: string, line: Line, delivery: ClaimedDelivery): Promise<void> => {
    line.active += 1
    active += 1
    await send(delivery)
    line.active -= 1
    active -= 1
    advance(webhookId, line)
  }

  const advance = (webhookId: string, line: Line): void => {
    while (line.active < perEndpointMax) {
      const next = line.waiting.shift()
      if (next === undefined) break
      void run(webhookId, line, next)
    }
    if (line.active === 0) lines.delete(webhookId)
  }

  return {
    add: (deliveries: readonly ClaimedDelivery[]): void => {
      for (const delivery of deliveries) {
        const line = lines.get(delivery.webhookId) ?? { waiting: [], active: 0 }
        lines.set(delivery.webhookId, line)
        line.waiting.push(delivery)
      }
      for (const webhookId of new Set(deliveries.map((delivery) => delivery.webhookId))) {
        const line = lines.get(webhookId)
        if (line !== undefined) advance(webhookId, line)
      }
    },
    /** Takes out everything whose sending has not begun. */
    takeUnsent: (): ClaimedDelivery[] => [...lines.values()].flatMap((line) => line.waiting.splice(0)),
    activeCount: (): number => active,
  }
}

export type SendQueue = ReturnType<typeof createSendQueue>
