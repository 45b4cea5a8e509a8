import { z } from 'zod'

const COUNT_MAX = 1_000_000
const MS_MAX = 3_600_000

const ms = z.int().min(0).max(MS_MAX)
const gathered = z.int().min(2).max(1_000)

/** What goes wrong with a request. */
const requestAction = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfterSeconds: z.int().min(0).optional(),
    /** Sent instead of the standard's error body: JSON, or text as it is. */
    body: z.unknown().optional(),
    contentType: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('delay'), ms }),
  z.strictObject({ kind: z.literal('hang') }),
  z.strictObject({ kind: z.literal('cut') }),
  z.strictObject({ kind: z.literal('budget'), requests: z.int().min(0), windowMs: ms.min(1) }),
])

/** What goes wrong with callbacks. */
const callbackAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('double') }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('reorder'), of: gathered }),
  z.strictObject({ kind: z.literal('group'), of: gathered }),
])

const scope = {
  /** Only exchanges of this merchant. */
  merchant: z.string().optional(),
  /** Only where the address, or a callback's body, has this text: a txid, an end-to-end id. */
  match: z.string().min(1).optional(),
  /** How many it meets. Without it, all until it is removed. */
  count: z.int().min(1).max(COUNT_MAX).optional(),
  /** The share of those that it meets. */
  probability: z.number().gt(0).max(1).default(1),
}

const requestFault = z.strictObject({
  ...scope,
  on: z.literal('request').default('request'),
  /** `cob.put`, all of a kind as `cob.*`, or all as `*`. */
  operation: z.string().default('*'),
  /** Before the PSP does anything, or after it has done all but answer. */
  when: z.enum(['before', 'after']).default('before'),
  action: requestAction,
})

const callbackFault = z.strictObject({ ...scope, on: z.literal('callback'), action: callbackAction })

/** A fault as tests plant it. */
export const faultInput = z.union([callbackFault, requestFault])

export type RequestAction = z.infer<typeof requestAction>
export type CallbackAction = z.infer<typeof callbackAction>
type FaultInput = z.infer<typeof faultInput>
export type Fault = FaultInput & { id: number; met: number }

type Met<Action> = { id: number; action: Action }
type RequestFacts = { when: 'before' | 'after'; operation: string; merchantId?: string | undefined; text: string }
type CallbackFacts = { merchantId: string; text: string }

/** Whether a pattern, such as `cob.*`, means an operation. */
export const covers = (pattern: string, operation: string): boolean =>
  pattern === '*' || pattern === operation || (pattern.endsWith('.*') && operation.startsWith(pattern.slice(0, -1)))

const isAbout = (fault: Fault, { merchantId, text }: { merchantId?: string | undefined; text: string }): boolean =>
  (fault.merchant === undefined || fault.merchant === merchantId) &&
  (fault.match === undefined || text.includes(fault.match)) &&
  (fault.probability === 1 || Math.random() < fault.probability)

export type Faults = ReturnType<typeof createFaults>

/** What tests planted, in memory: a PSP that starts again is well. The first fault that fits is the one that acts. */
export const createFaults = () => {
  let planted: Fault[] = []
  let nextId = 1
  const windows = new Map<number, { startedAt: number; requests: number }>()

  const remove = (id: number): boolean => {
    const rest = planted.filter((fault) => fault.id !== id)
    const isFound = rest.length < planted.length
    planted = rest
    return isFound
  }

  const meet = (fault: Fault): void => {
    fault.met += 1
    if (fault.count !== undefined && fault.met >= fault.count) remove(fault.id)
  }

  /** Whether a budget has room for one more request; a window begins with the first request after the last one ended. */
  const hasRoom = (id: number, { requests, windowMs }: { requests: number; windowMs: number }): boolean => {
    const now = performance.now()
    const known = windows.get(id)
    const window = known && now - known.startedAt < windowMs ? known : { startedAt: now, requests: 0 }
    windows.set(id, window)
    window.requests += 1
    return window.requests <= requests
  }

  const fitsRequest = (fault: Fault, facts: RequestFacts): boolean => {
    if (fault.on !== 'request' || fault.when !== facts.when || !covers(fault.operation, facts.operation)) return false
    if (!isAbout(fault, facts)) return false
    return fault.action.kind !== 'budget' || !hasRoom(fault.id, fault.action)
  }

  /** The fault that meets a request, if any. Asking counts. */
  const ofRequest = (facts: RequestFacts): Met<RequestAction> | undefined => {
    const fault = planted.find((candidate) => fitsRequest(candidate, facts))
    if (fault?.on !== 'request') return undefined
    meet(fault)
    return { id: fault.id, action: fault.action }
  }

  /** The fault that meets a callback, if any. Asking counts. */
  const ofCallback = (facts: CallbackFacts): Met<CallbackAction> | undefined => {
    const fault = planted.find((candidate) => candidate.on === 'callback' && isAbout(candidate, facts))
    if (fault?.on !== 'callback') return undefined
    meet(fault)
    return { id: fault.id, action: fault.action }
  }

  const plant = (input: FaultInput): Fault => {
    const fault = { ...input, id: nextId++, met: 0 }
    planted.push(fault)
    return fault
  }

  const clear = (): void => {
    planted = []
  }

  return {
    plant,
    remove,
    list: (): readonly Fault[] => planted,
    clear,
    ofRequest,
    ofCallback,
    /** Whether any is planted at all, so that a request without faults costs nothing. */
    isCalm: (): boolean => planted.length === 0,
  }
}
