import { parseArgs } from 'node:util'
import { proveAnchor, proveChain } from '../src/ledger/chain-proof.ts'
import { chainKey } from '../src/ledger/chain-seal.ts'
import { proveLedger } from '../src/ledger/ledger-proof.ts'
import { runCommand, withDatabase } from '../src/start/run-command.ts'

// --anchor <time>=<hash>, as the log of a nightly proof says them: may be given several times.
const { values } = parseArgs({ options: { anchor: { type: 'string', multiple: true, default: [] } } })

await runCommand((config) =>
  withDatabase(config, async (database) => {
    const findings = [
      ...(await proveLedger(database)),
      ...(await proveChain(database, chainKey(config.encryptionKey))),
      ...(await Promise.all(values.anchor.map((anchor) => proveAnchor(database, anchor)))).flat(),
    ]
    for (const { check, sellerId, subject, detail } of findings) {
      console.error(`${check}: seller ${sellerId}, ${subject}: ${detail}`)
    }
    if (findings.length === 0)
      console.log('The ledger is proven: every transfer, balance, statement, bucket and seal agrees.')
    else process.exitCode = 1
  }),
)
