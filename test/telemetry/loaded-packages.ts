import { registerHooks } from 'node:module'

// Loaded before the platform: says on stderr which packages of OpenTelemetry it asks for.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) process.stderr.write(`loads ${specifier}\n`)
    return next(specifier, context)
  },
})
