/** Those that issue most boletos (COMPE codes of the Central Bank's list of participants), and the sandbox's own. */
const NAMES: Readonly<Record<string, string>> = {
  '001': 'Banco do Brasil',
  '033': 'Santander',
  '041': 'Banrisul',
  '077': 'Inter',
  '104': 'Caixa',
  '212': 'Banco Original',
  '237': 'Bradesco',
  '260': 'Nubank',
  '336': 'C6 Bank',
  '341': 'Itaú',
  '364': 'Efí',
  '422': 'Safra',
  '748': 'Sicredi',
  '756': 'Sicoob',
  '999': 'Sandbox',
}

// Where the rest is 10, banks print 0, and one an X.
const PRINTED: Readonly<Record<string, string>> = { '748': 'X' }

const checkDigit = (code: string): string => {
  const sum = [...code].reduce((total, digit, index) => total + Number(digit) * (4 - index), 0)
  return PRINTED[code] ?? String(((11 - (sum % 11)) % 11) % 10)
}

/** The bank that issued a boleto, by the first three digits of its barcode: its name and its code as it is printed, `237-2`. */
export const issuingBank = (barcode: string): { name: string; code: string } => {
  const code = barcode.slice(0, 3)
  return { name: NAMES[code] ?? `Banco ${code}`, code: `${code}-${checkDigit(code)}` }
}
