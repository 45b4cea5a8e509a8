import accepts from '@fastify/accepts'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import type { RateLimits } from '../rate-limits/rate-limits.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createMetricsServer } from './metrics-server.ts'
import type { EventCatalogue } from './openapi-webhooks.ts'
import { accessPlugin, type FindActor } from './plugins/access.ts'
import { closingPlugin } from './plugins/closing.ts'
import { conditionalRequestsPlugin } from './plugins/conditional-requests.ts'
import { docsPlugin } from './plugins/docs.ts'
import { errorPagesPlugin } from './plugins/error-pages.ts'
import { errorsPlugin } from './plugins/errors.ts'
import { faviconPlugin } from './plugins/favicon.ts'
import { guidesPlugin } from './plugins/guides.ts'
import { healthPlugin } from './plugins/health.ts'
import { idempotencyPlugin } from './plugins/idempotency.ts'
import { jsonBodyPlugin } from './plugins/json-body.ts'
import { largeAnswersPlugin } from './plugins/large-answers.ts'
import { locationsPlugin } from './plugins/locations.ts'
import { metricsPlugin } from './plugins/metrics.ts'
import { openapiPlugin } from './plugins/openapi.ts'
import { overloadPlugin } from './plugins/overload.ts'
import { addressLimitPlugin, callerLimitPlugin } from './plugins/rate-limit.ts'
import { requestLogPlugin } from './plugins/request-log.ts'
import { searchTextPlugin } from './plugins/search-text.ts'
import { requestIdOf, securityPlugin } from './plugins/security.ts'
import { tracingPlugin } from './plugins/tracing.ts'
import { responseSerializerCompiler } from './response-serializer.ts'
import { createServerTls, httpOrHttps, type ServerTls } from './server-tls.ts'
import { clientErrorHandler, frameworkErrors, refuseExpectation } from './transport-errors.ts'

const BODY_LIMIT_BYTES = 256 * 1024
const HEADERS_LIMIT_BYTES = 16 * 1024
const REQUEST_TIMEOUT_MS = 30_000
const PATH_PARAMETER_LENGTH_MAX = 200

/** What the server needs of the platform. */
export type ServerDependencies = {
  config: Pick<
    Config,
    | 'host'
    | 'tls'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'allowPersonalDataInUrls'
    | 'jwtSecret'
    | 'olderJwtSecrets'
    | 'people'
    | 'rateLimits'
    | 'publicUrl'
    | 'metrics'
    | 'providers'
  >
  logger: FastifyBaseLogger
  accessTokenSeconds: number
  findActor: FindActor
  rateLimits: RateLimits
  metrics: Metrics
  isReady: () => Promise<boolean>
  /** What webhooks are sent, for the documentation. */
  events: EventCatalogue
}

type FastifyParts = Pick<ServerDependencies, 'config' | 'logger'> & { tls: ServerTls | undefined }

const createFastify = ({ config, logger, tls }: FastifyParts) => {
  const limits = { maxHeaderSize: HEADERS_LIMIT_BYTES }
  const app = fastify({
    loggerInstance: logger,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...httpOrHttps(limits, tls),
    // The framework's own answer while closing is neither of our two shapes: the closing plugin answers.
    return503OnClosing: false,
    clientErrorHandler,
    frameworkErrors,
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
  }).withTypeProvider<ZodTypeProvider>()
  tls?.follow(app.server)
  app.server.on('checkExpectation', refuseExpectation)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializerCompiler)
  return app
}

const openMetrics = async (
  app: FastifyInstance,
  metrics: Metrics,
  { config, isReady, tls }: ServerDependencies & { tls: ServerTls | undefined },
): Promise<void> => {
  const { token, port } = config.metrics
  if (token !== undefined) await app.register(metricsPlugin, { metrics, token })
  if (port === undefined) return
  const ready = async () => !app.isLeaving() && (await isReady())
  const server = createMetricsServer({ host: config.host, port, tls, metrics, isReady: ready })
  app.addHook('onReady', server.listen)
  app.addHook('onClose', server.close)
}

/** The HTTP server with everything that holds for every operation, and without any operation of an area. */
export const createHttpServer = async (dependencies: ServerDependencies): Promise<FastifyInstance> => {
  const { config, rateLimits, accessTokenSeconds, findActor, metrics, isReady, events } = dependencies
  const tls = config.tls && createServerTls(config.tls, dependencies.logger)
  const app = createFastify({ ...dependencies, tls })
  const limits = { rateLimits, limits: config.rateLimits }

  // The order is the order of the hooks: an answer has its headers before anything can refuse the request.
  await app.register(errorsPlugin)
  await app.register(securityPlugin, {
    corsOrigins: config.corsOrigins,
    isSandbox: config.providers.sandbox.isRouted,
  })
  await app.register(tracingPlugin)
  await app.register(requestLogPlugin, { metrics })
  await app.register(closingPlugin)
  await app.register(overloadPlugin)
  await app.register(jsonBodyPlugin)
  await app.register(addressLimitPlugin, limits)
  const { jwtSecret, olderJwtSecrets, people } = config
  await app.register(accessPlugin, {
    jwtSecret,
    olderJwtSecrets,
    secondFactor: people.secondFactor,
    accessTokenSeconds,
    findActor,
  })
  await app.register(callerLimitPlugin, limits)
  await app.register(searchTextPlugin, { allowPersonalInUrls: config.allowPersonalDataInUrls })
  await app.register(idempotencyPlugin)
  await app.register(conditionalRequestsPlugin)
  await app.register(locationsPlugin)
  await app.register(accepts)
  await app.register(largeAnswersPlugin)
  await app.register(openapiPlugin, { publicUrl: config.publicUrl, events })
  await app.register(docsPlugin)
  await app.register(guidesPlugin)
  await app.register(errorPagesPlugin)
  await app.register(faviconPlugin)
  await app.register(healthPlugin, { isReady })
  await openMetrics(app, metrics, { ...dependencies, tls })
  return app
}
