/** The pattern of `like` and `ilike` for a text that stands anywhere: its own `%`, `_` and `\` mean themselves. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
