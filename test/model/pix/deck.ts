import { cancel, create, createDue, createOfLink, expire, pay, payKey, refund, sendBack } from './steps.ts'
import { claim, decide, payOut, sendBackByPsp } from './steps-out.ts'
import type { World } from './world.ts'

/** Everything that happens, by its name. */
export const STEPS = {
  ...{ create, createDue, createOfLink, pay, payKey, cancel, expire },
  ...{ refund, sendBack, sendBackByPsp, claim, decide, payOut },
} as const satisfies Record<string, (world: World) => Promise<void>>

/** How often each happens. */
export const DECK = [
  ...(['create', 'create', 'create', 'createDue', 'createOfLink', 'cancel', 'payKey', 'expire'] as const),
  ...(['pay', 'pay', 'pay', 'pay', 'pay'] as const),
  ...(['refund', 'refund', 'sendBack', 'sendBackByPsp', 'claim', 'decide', 'payOut', 'payOut'] as const),
] as const
