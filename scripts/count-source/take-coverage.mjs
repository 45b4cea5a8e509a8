// Loaded into a server that is counted: at each message of its parent it writes what has run since the last one.
import { takeCoverage } from 'node:v8'

process.on('message', () => takeCoverage())
process.channel?.unref()
