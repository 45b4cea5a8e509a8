import packageJson from '../package.json' with { type: 'json' }

/** The platform's version. */
export const VERSION: string = packageJson.version
