import type { FastifyReply, FastifyRequest } from 'fastify'

/** Names in `Vary` what an answer was chosen by (RFC 9110, 12.5.5), in small letters, beside what stands there already. */
export const variesBy = (reply: FastifyReply, ...fields: readonly string[]): FastifyReply => {
  const before = String(reply.getHeader('vary') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return reply.header('vary', [...new Set([...before, ...fields])].filter(Boolean).join(', '))
}

/** The media type that a request prefers (RFC 9110, 12.5.1), and the first of them where it welcomes none. */
export const preferredType = <Type extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly [Type, ...Type[]],
): Type => {
  void variesBy(reply, 'accept')
  const preferred = request.type([...types])
  return types.find((type) => type === preferred) ?? types[0]
}

/**
 * The first media type among these that a request names (RFC 9110, 12.5.1). By its name, so that nobody who takes anything
 * gets a whole export. Undefined where it names none of them.
 */
export const namedType = <Type extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly Type[],
): Type | undefined => {
  void variesBy(reply, 'accept')
  const named = [request.types()].flat().map((type) => String(type).toLowerCase())
  return named.flatMap((name) => types.filter((type) => type === name))[0]
}
