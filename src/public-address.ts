/**
 * Where people reach this server: what the operator configured, else the address it listens on. Never what a request
 * calls us: links to pay would then lead wherever a stranger's Host header says.
 */
export const createPublicAddress = (configured: string | undefined, fallback: string) => {
  let address = configured ?? fallback
  return {
    /** Absolute, without a slash at its end. */
    url: (): string => address,
    /** To be called once the server listens: only then is a free port known. */
    listensAt(origin: string): void {
      address = configured ?? origin
    },
  }
}

export type PublicAddress = ReturnType<typeof createPublicAddress>
