// Old JavaScript on purpose: this must run on whatever Node the machine has, to say that it is too old.
var NEEDED = 24
var major = Number(process.versions.node.split('.')[0])
if (major < NEEDED) {
  process.stderr.write(
    'This platform needs Node ' +
      NEEDED +
      ' or newer, and this is Node ' +
      process.versions.node +
      '. On Linux (x64, arm64) ' +
      '`npm ci` brings the right one along; elsewhere install it from https://nodejs.org.\n',
  )
  process.exit(1)
}
