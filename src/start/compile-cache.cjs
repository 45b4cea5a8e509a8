// Node keeps what it makes of the source beside the packages, where only whoever installed the platform writes: what lies
// there is run. Where the folder cannot be written nothing is kept.
//
// Plain JavaScript, and required before the first file that is not, by `node --require`: when nothing is left to be made,
// Node does not load its compiler of TypeScript, which would hold 16 MiB for good.
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

enableCompileCache(join(__dirname, '..', '..', 'node_modules', '.cache', 'compile'))
