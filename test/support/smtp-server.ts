import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail that a server has taken or is about to take: what the envelope says, and what it carries. */
export type ReceivedMail = { from: string; to: string[]; raw: string; email: Email; secure: boolean }

/** What a server answers instead of taking a mail. */
export const replyOf = (code: number): Error => Object.assign(new Error('says the server'), { responseCode: code })

type Options = {
  /** Judges a mail before it is taken. A rejection is the server's answer. */
  judge?: (mail: ReceivedMail) => Promise<void> | void
  /** Judges a recipient by address. A throw is the server's answer. */
  judgeRecipient?: (address: string) => void
  port?: number
  /** More of what smtp-server takes: certificates, authentication. */
  server?: SMTPServerOptions
}

/** A real SMTP server on a free port of this machine, which keeps what it takes. */
export const startSmtpServer = async ({ judge, judgeRecipient, port = 0, server: options }: Options = {}) => {
  const taken: ReceivedMail[] = []
  const server = new SMTPServer({
    // Without certificates it would show one of its own.
    disabledCommands: options?.key === undefined ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    logger: false,
    disableReverseLookup: true,
    onRcptTo({ address }, _session, callback) {
      try {
        judgeRecipient?.(address)
        callback()
      } catch (error) {
        callback(error as Error)
      }
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        const mail = { from, to, raw, email: await PostalMime.parse(raw), secure: session.secure === true }
        try {
          await judge?.(mail)
          taken.push(mail)
          callback()
        } catch (error) {
          callback(error as Error)
        }
      })
    },
    ...options,
  })
  // A client that goes away in the middle of a word is none of the server's faults.
  server.on('error', () => undefined)
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address() as AddressInfo
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    /** What was taken, in the order in which it was. */
    taken,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>

/** A server that takes connections and says nothing. */
export const startSilentServer = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: (): void => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const ANSWERS: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' }

const commandOf = (line: string): string => (line.split(' ')[0] ?? '').toUpperCase()

/** The words to which a server has to answer, of all lines of a conversation: those of the mail itself are none. */
const createListening = () => {
  let inMail = false
  return (lines: readonly string[]): string[] =>
    lines.flatMap((line) => {
      const word = inMail && line !== '.' ? undefined : commandOf(line)
      if (word !== undefined) inMail = word === 'DATA'
      return word ?? []
    })
}

/** A server that hangs up at a word of the conversation: at the greeting, at a command, or at the end of the mail (`.`). */
export const startCuttingServer = async (at: 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | '.') => {
  let cuts = 0
  const server = createServer((socket) => {
    const listen = createListening()
    const answer = (word: string): unknown => {
      if (word !== at) return socket.write(`${ANSWERS[word] ?? '250 ok'}\r\n`)
      cuts += 1
      return socket.destroy()
    }
    socket.on('error', () => undefined)
    if (at === 'greeting') return answer(at)
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => listen(chunk.toString().split('\r\n').slice(0, -1)).forEach(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, cuts: (): number => cuts, close: (): unknown => server.close() }
}
