import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config.ts'
import { errorFields, messageOf } from './error-fields.ts'
import { createPrettyStream } from './pretty.ts'
import { redact } from './redact.ts'

type LogArguments = [first: unknown, text?: unknown, ...rest: unknown[]]

const BUFFER_BYTES = 16_000
const FLUSH_EVERY_MS = 100

// One system call for many lines: a call each is a tenth of what a request costs. A killed process loses its last
// tenth of a second; one that ends by itself, however it does, loses nothing.
const createBufferedOutput = (): DestinationStream => {
  const output = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES })
  setInterval(() => output.flush(), FLUSH_EVERY_MS).unref()
  process.on('exit', () => output.flushSync())
  return output
}

const defaultDestination = (production: boolean): DestinationStream =>
  process.stdout.isTTY && !production ? createPrettyStream(process.stdout) : createBufferedOutput()

// Left to itself, the logger takes an error's whole message as the line's text.
const withSafeMessage = (args: LogArguments): LogArguments => {
  const [first, text] = args
  if (text !== undefined) return args
  const error = first instanceof Error ? first : Object(first).err
  return error instanceof Error ? [first, messageOf(error)] : args
}

/** The log: JSON lines on stdout; in a readable form where a person of development looks on. */
export const createLogger = (
  { production, logLevel }: Pick<Config, 'production' | 'logLevel'>,
  destination: DestinationStream = defaultDestination(production),
): Logger =>
  pino(
    {
      level: logLevel,
      base: undefined as never,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { log: redact },
      hooks: {
        logMethod(args, method) {
          method.apply(this, withSafeMessage(args as LogArguments) as typeof args)
        },
      },
      serializers: { err: errorFields, error: errorFields, req: () => undefined, res: () => undefined },
    },
    destination,
  )
