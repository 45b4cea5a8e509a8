import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ProofPeriod, provePeriod } from '../src/areas/period-proof/period-proof.ts'
import { isSigned, readSigningKey, signProof } from '../src/areas/period-proof/signed-proof.ts'
import { createMatchingRepository } from '../src/areas/reconciliation/reconciliation.matching.repository.ts'
import type { Config } from '../src/config.ts'
import type { Database, Writer } from '../src/db/client.ts'
import { isCalendarDate } from '../src/domain/calendar.ts'
import { proveAnchor, proveChain } from '../src/ledger/chain-proof.ts'
import { chainKey } from '../src/ledger/chain-seal.ts'
import { proveLedger } from '../src/ledger/ledger-proof.ts'
import { runCommand, withDatabase } from '../src/start/run-command.ts'
import { StartError } from '../src/start/start-error.ts'

// --anchor <time>=<hash>, as the log of a nightly proof says them: may be given several times.
// --from <date> --to <date>: proves the period from end to end, too. --out <file> signs what was read and found.
// --check <file>: whether such a file is as it was signed. docs/accounting.md says more of these.
const { values } = parseArgs({
  options: {
    anchor: { type: 'string', multiple: true, default: [] },
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    key: { type: 'string' },
    check: { type: 'string' },
  },
})

const periodOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }): ProofPeriod | undefined => {
  if (from === undefined && to === undefined) return undefined
  if (from && to && isCalendarDate(from) && isCalendarDate(to) && from < to) return { from, to }
  throw new StartError(
    '--from and --to are two dates, YYYY-MM-DD, and the second, which is not in the period, is later',
  )
}

const proveLedgers = async (database: Database, { encryptionKey }: Config): Promise<boolean> => {
  const findings = [
    ...(await proveLedger(database)),
    ...(await proveChain(database, chainKey(encryptionKey))),
    ...(await Promise.all(values.anchor.map((anchor) => proveAnchor(database, anchor)))).flat(),
  ]
  for (const { check, sellerId, subject, detail } of findings) {
    console.error(`${check}: seller ${sellerId}, ${subject}: ${detail}`)
  }
  if (findings.length === 0) {
    console.log('The ledger is proven: every transfer, balance, statement, bucket and seal agrees.')
  }
  return findings.length === 0
}

const proveEndToEnd = async (database: Database, period: ProofPeriod, { dataDir }: Config): Promise<boolean> => {
  // It only reads, and reconciliation does it where it also writes.
  const proof = await provePeriod(database, period, (tx, day) => createMatchingRepository(tx as Writer).listFound(day))
  for (const { date, check, sellerId, subject, detail } of proof.findings) {
    console.error(`${date}, not true that ${check}: seller ${sellerId}, ${subject}: ${detail}`)
  }
  const { text, signature, publicKey } = signProof(proof, readSigningKey(values.key ?? join(dataDir, 'proof-key.pem')))
  if (values.out === undefined) console.log(text)
  else {
    writeFileSync(values.out, text)
    writeFileSync(`${values.out}.sig`, signature)
    writeFileSync(`${values.out}.pub`, publicKey)
  }
  const { findingsCount } = proof
  const result = findingsCount === 0 ? 'is proven from end to end' : `does NOT agree in ${findingsCount} places`
  console.log(`${period.from} to ${period.to} ${result}: sha256 ${proof.sha256}`)
  return findingsCount === 0
}

const checkFile = (file: string): boolean => {
  const signed = {
    text: readFileSync(file, 'utf8'),
    signature: readFileSync(`${file}.sig`),
    publicKey: readFileSync(`${file}.pub`, 'utf8'),
  }
  const isIntact = isSigned(signed)
  console.log(isIntact ? `${file} is as it was signed.` : `${file} is NOT what was signed.`)
  return isIntact
}

if (values.check !== undefined) process.exitCode = checkFile(values.check) ? 0 : 1
else {
  await runCommand(async (config) => {
    const period = periodOf(values)
    await withDatabase(config, async (database) => {
      const isRight = await proveLedgers(database, config)
      const isProven = period === undefined || (await proveEndToEnd(database, period, config))
      if (!isRight || !isProven) process.exitCode = 1
    })
  })
}
