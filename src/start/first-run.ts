import type { Services } from '../compose.ts'
import type { Config } from '../config.ts'

type FirstRunServices = Pick<Services, 'authentication' | 'ensureDefaultFees'>

const banner = (email: string, password: string): string => {
  const lines = [
    'The first administrator:',
    '',
    `  e-mail    ${email}`,
    `  password  ${password}`,
    '',
    'The password is shown this once and kept nowhere. Change it after the first login.',
  ]
  const width = Math.max(...lines.map(({ length }) => length))
  const edge = '─'.repeat(width + 2)
  return [`┌${edge}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${edge}┘`, ''].join('\n')
}

/**
 * Gives a new platform its fees and its first administrator, and does nothing on any other. A password that was made
 * up is printed on stdout, past the log: logs are kept and collected.
 */
export const firstRun = async (
  { ensureDefaultFees, authentication }: FirstRunServices,
  { admin }: Config,
): Promise<void> => {
  await ensureDefaultFees()
  const made = await authentication.ensureFirstAdmin(admin)
  if (made?.password !== undefined) process.stdout.write(banner(made.email, made.password))
}
