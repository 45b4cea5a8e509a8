import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** What the server says of a name. Without any of these it has no records, which is an answer too. */
export type Zone = {
  addresses?: readonly string[]
  /** The name is an alias of this one, whose records are in the same answer. */
  aliasOf?: string
  /** RFC 1035, section 4.1.1: 2 is SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  failure?: 2 | 3 | 5
  /** Never answers. */
  silent?: boolean
}

const HEADER_BYTES = 12
const TYPE_CNAME = 5
const TYPES = { 1: 4, 28: 6 } as const
const TTL_SECONDS = 0

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])

const decodeName = (message: Buffer): string => {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join('.').toLowerCase()
}

const encodeAddress = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  return Buffer.concat([...groups(head), ...zeros, ...groups(tail)].map((group) => uint16(Number.parseInt(group, 16))))
}

const record = (name: string, type: number, data: Buffer): Buffer =>
  Buffer.concat([
    encodeName(name),
    uint16(type),
    uint16(1),
    Buffer.from([0, 0, 0, TTL_SECONDS]),
    uint16(data.length),
    data,
  ])

const answersTo = (name: string, type: number, { addresses = [], aliasOf }: Zone): Buffer[] => {
  const family = TYPES[type as keyof typeof TYPES]
  const own = addresses.filter((address) => (isIPv4(address) ? 4 : 6) === family)
  const records = own.map((address) => record(aliasOf ?? name, type, encodeAddress(address)))
  return aliasOf === undefined ? records : [record(name, TYPE_CNAME, encodeName(aliasOf)), ...records]
}

/** A name server on loopback UDP. Names that are not in `zones` do not exist. */
export const createNameServer = async (zones: Readonly<Record<string, Zone>>) => {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, peer) => {
    const name = decodeName(query)
    const questionEnd = HEADER_BYTES + encodeName(name).length + 4
    const type = query.readUInt16BE(questionEnd - 4)
    const zone: Zone = zones[name] ?? { failure: 3 }
    asked.push(name)
    if (zone.silent) return
    const answers = zone.failure === undefined ? answersTo(name, type, zone) : []
    const header = Buffer.concat([
      query.subarray(0, 2),
      uint16(0x8580 | (zone.failure ?? 0)),
      uint16(1),
      uint16(answers.length),
      uint16(0),
      uint16(0),
    ])
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...answers]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    /** Names in the order of the questions; each name is asked for both families. */
    asked,
    close: async (): Promise<void> => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
