/**
 * The name under which a cookie is kept: behind TLS one that browsers take over TLS alone, so that nobody who sits on a plain
 * connection can plant another (RFC 6265bis, 4.1.3.1). Not `__Host-`, which would send each cookie to every path.
 */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Secure-${name}` : name)
