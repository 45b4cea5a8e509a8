import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readEfiStatementFile } from '../../../src/areas/reconciliation/efi-statement-file.ts'

const DATE = '2026-11-20'
const E1 = 'E00000000202611201305abcDEF12345'
const E2 = 'E00000000202611201410abcDEF12345'
const E3 = 'E09089356202611201500abcDEF12345'
const E4 = 'E09089356202611201510abcDEF12345'
const E5 = 'E09089356202611201520abcDEF12345'
const TXID = '01939f3e7c1a7b1e9d6a3f5b8c2d1e00'
const AT = '2026-11-20T16:05:12.000Z'

/** A day as Efí lets one download it: fees and what was undone lie anywhere, texts of payers are in base64. */
const DAY = [
  `CA;Efí S.A.;364;1;517613;Loja Exemplo;2026-11-21;${DATE};Extrato de Conciliação API Pix;1.0`,
  'SD0;10.00;2026-11-19',
  'SD1;1203.53;2026-11-20',
  `TPR;1;${E1};0.47;${AT}`,
  `PR;2;${E1};${TXID};37.00;52998224725;ZGl2aWRpZG87IGVtIGR1YXM=;W10=;${AT}`,
  `PR;3;${E2};;1200.00;52998224725;;;${AT}`,
  `PEC;4;${E3};P1;5.00;ana@example.com;;API;${AT}`,
  `TPE;5;${E3};1.50;${AT}`,
  `ETPE;6;${E3};0.50;${AT}`,
  `PEB;7;${E4};P2;7.00;Ana Souza;52998224725;341;0001;12345-6;CACC;;API;${AT}`,
  `PEC;8;${E5};P3;9.00;ana@example.com;;API;${AT}`,
  `EPE;9;${E5};9.00;${AT}`,
  `PDE;10;${E1};${TXID};R1;D1;7.00;${AT}`,
  `PDE;11;${E1};${TXID};D2;D2;30.00;${AT}`,
  `PDR;12;${E4};D3;2.00;${AT}`,
  'T;12;2;3;3;1;3;1;0;0;0;0;0',
]

const read = async (records: readonly string[], date = DATE) => {
  const found = []
  const open = () => Readable.from([Buffer.from(records.join('\n'))])
  for await (const one of readEfiStatementFile(open, date)) found.push(one)
  return found
}
const faults = async (records: readonly string[], date = DATE) =>
  (await read(records, date)).flatMap((one) => ('fault' in one ? [`${one.fault.line}: ${one.fault.message}`] : []))

test('a day as Efí gives it: fees beside what they are for, nothing of what was undone, claims as lost disputes', async () => {
  const happenedAt = new Date(AT)
  expect(await read(DAY)).toStrictEqual(
    [
      [5, 'charge', TXID, E1, 3_700, 47],
      [6, 'charge', E2, E2, 120_000, null],
      [7, 'payout', 'P1', E3, 500, 100],
      [10, 'payout', 'P2', E4, 700, null],
      [13, 'refund', 'R1', 'D1', 700, null],
      [14, 'dispute', 'D2', 'D2', 3_000, null],
    ].map(([number, kind, reference, endToEndId, amount, feeAmount]) => ({
      number,
      line: { kind, reference, endToEndId, amount, feeAmount, happenedAt },
    })),
  )
})

test('a file of another day, of something else, or cut off is none', async () => {
  expect(await faults(DAY, '2026-11-21')).toStrictEqual([`1: says that the file is of ${DATE}`])
  expect(await faults(['kind,reference'])).toStrictEqual([expect.stringContaining('1: is not the header (CA)')])
  expect(await faults(DAY.slice(0, -1))).toStrictEqual([expect.stringContaining('16: is not there')])
  expect(await faults(DAY.toSpliced(5, 1))).toStrictEqual(['15: counts other records than the 11 before it'])
  expect(await faults([...DAY, DAY[3] ?? ''])).toStrictEqual(['17: stands behind the trailer (T)'])
  expect(await faults([])).toHaveLength(1)
})

test('records with faults are told by their numbers', async () => {
  const broken = DAY.map((record) =>
    record
      .replace('PR;2', 'XX;2')
      .replace('1200.00', '1.200,00')
      .replace(`API;${AT}`, 'API;yesterday')
      .replace('R1;', 'R 1;'),
  )
  expect(await faults(broken)).toStrictEqual([
    '5: is of no known kind: XX',
    '6: has no amount as 37.00 in field 5',
    '7: has no moment as 2026-11-20T16:05:12Z in its last field',
    '10: has no moment as 2026-11-20T16:05:12Z in its last field',
    '11: has no moment as 2026-11-20T16:05:12Z in its last field',
    '13: has other names of its money than 1 to 100 visible ASCII characters',
  ])
  expect(await faults([DAY[0] ?? '', `PR;${'a'.repeat(100_000)}`])).toStrictEqual([
    expect.stringContaining('is no CSV'),
  ])
})
