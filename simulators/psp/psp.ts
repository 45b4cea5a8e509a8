import { environmentOf, environmentText } from './certificates/environment.ts'
import { makeCertificates } from './certificates/folder.ts'
import { type Command, readCommand, USAGE } from './options.ts'
import { type Psp, startPsp } from './server.ts'

const print = (text: string): void => void process.stdout.write(text)

const addressesOf = ({ bank, certificatesFolder, apiPort }: Psp, command: Extract<Command, { name: 'serve' }>) => ({
  merchants: bank.merchants,
  addresses: { profile: command.serve.profile, apiPort, folder: certificatesFolder },
})

const welcome = (psp: Psp, command: Extract<Command, { name: 'serve' }>): string => {
  const { merchants, addresses } = addressesOf(psp, command)
  return [
    `# PSP simulator, profile ${command.serve.profile}`,
    `# API, with client certificates: https://localhost:${psp.apiPort}`,
    `# what payers' banks read:       https://localhost:${psp.publicPort}`,
    `# the tests' own operations:     ${psp.controlUrl}/control`,
    '',
    environmentText(merchants, addresses),
  ].join('\n')
}

const description = (psp: Psp, command: Extract<Command, { name: 'serve' }>): string => {
  const { merchants, addresses } = addressesOf(psp, command)
  const environments = merchants.map((merchant) => environmentOf(merchant, addresses))
  return `${JSON.stringify({ apiPort: psp.apiPort, publicPort: psp.publicPort, controlUrl: psp.controlUrl, environments })}\n`
}

const serve = async (command: Extract<Command, { name: 'serve' }>): Promise<void> => {
  const psp = await startPsp(command.serve)
  print(command.isJson ? description(psp, command) : welcome(psp, command))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void psp.close())
}

const run = async (command: Command): Promise<void> => {
  if (command.name === 'help') return print(`${USAGE}\n`)
  if (command.name === 'serve') return serve(command)
  const { merchants } = await makeCertificates(command.folder, command.certificates)
  const { folder, profile, ports } = command
  print(environmentText(merchants, { profile, apiPort: ports.api, folder }))
}

try {
  await run(readCommand(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`psp: ${error instanceof Error ? error.message : String(error)}\nnpm run psp -- --help\n`)
  process.exitCode = 1
}
