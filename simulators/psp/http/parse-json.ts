/** A JSON body; undefined for none, because some clients name a content type where they send nothing. Throws on others. */
export const parseJson = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))
