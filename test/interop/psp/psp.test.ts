import { expect, test } from 'vitest'
import { openToolbox } from './toolbox.ts'
import { WALKS, walk } from './walk.ts'

const INSTALL_TIMEOUT_MS = 600_000
const isRequired = process.env.INTEROP === 'required'

const toolbox = await openToolbox().catch((error: unknown) => {
  if (isRequired) throw error
  const [reason] = String(error instanceof Error ? error.message : error).split('\n')
  process.stderr.write(
    `\nThe PSP simulator was NOT tried with other people's clients, which need Python and PyPI: ${reason}\n\n`,
  )
  return undefined
})

// The standard's operations that every client has, whatever its bank.
const COMMON = [
  ...['token', 'cob.put', 'cob.get', 'pix.list', 'devolucao.put', 'devolucao.get'],
  ...['webhook.put', 'webhook.get', 'webhook.delete'],
]
const OWN: Readonly<Record<string, readonly string[]>> = {
  'pypix-api': [
    'cob.post',
    'cob.patch',
    'cob.list',
    'cobv.put',
    'cobv.patch',
    'cobv.get',
    'cobv.list',
    'pix.get',
    'loc.post',
  ],
  efipay: ['gn.pix.put', 'gn.enviados.id-envio', 'gn.enviados.list', 'gn.saldo'],
  'sdk-node-apis-efi': [
    'gn.pix.put',
    'gn.enviados.get',
    'gn.infracoes.defesa',
    'gn.relatorios.get',
    'cobv.put',
    'loc.delete',
  ],
}

test.skipIf(toolbox === undefined).each(WALKS)(
  '$client walks a merchant’s day at $profile, and every exchange fits the standard',
  async (one) => {
    if (toolbox === undefined) return
    const { code, output, misfits, operations } = await walk(one, toolbox)
    expect(output).toContain('walked')
    expect(code).toBe(0)
    expect(misfits).toEqual([])
    for (const operation of [...COMMON, ...(OWN[one.client] ?? [])]) expect(operations).toContain(operation)
  },
  INSTALL_TIMEOUT_MS,
)
