import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const WASM = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
// Left alone, the library would fetch its other half from the internet.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(WASM)).buffer } })

/** What a scanner reads in a picture: the texts of its Interleaved 2 of 5 barcodes. */
export const scanBarcodes = async (png: Uint8Array): Promise<string[]> => {
  const found = await readBarcodes(new Uint8Array(png), { formats: ['ITF'], tryHarder: true })
  return found.map(({ text }) => text)
}
