/** Refunds and payouts of amounts that end in these centavos do not complete by themselves. */
export const SANDBOX_CENTAVOS = { staysProcessing: 91, isRefused: 92 } as const
