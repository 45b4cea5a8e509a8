import { execFile } from 'node:child_process'

/** The system account that a child process runs as; empty means our own. */
export type Account = Readonly<{ uid?: number; gid?: number }>

// Settings that a user keeps for other Postgres servers (PGDATA, PGOPTIONS, ...) must not reach this one.
export const POSTGRES_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' } as const

export type CommandResult = Readonly<{ ok: boolean; output: string }>

type CommandOptions = Readonly<{ account?: Account; cwd?: string; env?: NodeJS.ProcessEnv }>

/** Runs a program to its end and never throws: a program that cannot be started is `ok: false` with the reason. */
export const runCommand = (file: string, args: string[], options: CommandOptions = {}): Promise<CommandResult> =>
  new Promise((resolve) => {
    const { account = {}, cwd = '/', env } = options
    execFile(file, args, { ...account, cwd, ...(env && { env }), timeout: 120_000 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim()
      resolve({ ok: error === null, output: output === '' && error ? error.message : output })
    })
  })
