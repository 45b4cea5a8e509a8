import { sample } from 'openapi-sampler'

type Media = { schema?: object; example?: unknown; examples?: unknown }
type Content = { content?: Record<string, Media> }
type Operation = { parameters?: Media[]; requestBody?: Content; responses?: Record<string, Content> }

/** A value that a schema allows: its own example, or one put together from those of its fields. */
export const exampleOf = (schema: object, document?: object): unknown => sample(schema, { quiet: true }, document)

/**
 * Gives every parameter, body and answer of an OpenAPI document an example. Those that a schema brings itself stay:
 * a body whose fields exclude each other needs one, because otherwise all of its fields are shown at once.
 */
export const withExamples = <Document extends object>(document: Document): Document => {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> }
  const show = (media: Media): void => {
    if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return
    media.example = exampleOf(media.schema, document)
  }
  for (const { parameters = [], requestBody, responses = {} } of Object.values(paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    const answers = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content))
    const shown = answers.filter(([type]) => type.endsWith('json')).map(([, media]) => media)
    for (const media of [...parameters, ...Object.values(requestBody?.content ?? {}), ...shown]) show(media)
  }
  return document
}
