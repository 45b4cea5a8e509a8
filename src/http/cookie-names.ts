/**
 * The name under which a cookie is kept: behind TLS one that browsers take over TLS alone, for this host and all of its
 * paths, so that nobody on a plain connection or at a neighbour's name can plant another (RFC 6265bis, 4.1.3.2).
 */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The one path that a cookie of such a name may have. */
export const COOKIE_PATH = '/'
