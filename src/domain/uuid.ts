const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID as this platform and the directory of Pix keys write it: in small letters, with hyphens. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** The UUID of nothing (RFC 9562, 5.9), which comes before all others. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
