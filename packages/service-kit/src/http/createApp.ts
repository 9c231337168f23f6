import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  brokenRequestAnswer,
  closeUnread,
  ignoreExpectations,
} from '@slipway/platform-guards';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { ErrorFormat } from '../errors/ErrorFormat.ts';
import { toFault } from '../errors/toFault.ts';
import { lazyLogger } from '../logging/lazyLogger.ts';
import { boundHandlers, boundStream } from './boundHandlers.ts';
import { compileSerializer, compileValidator } from './compileSchemas.ts';
import { handleErrors, sendFault } from './handleErrors.ts';
import { boundBodies } from './receiveBody.ts';
import { acceptJson, refuseUnstorableTexts } from './parseJson.ts';
import { routeBadUrl } from './refuseBadPaths.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** The request ids that callers may choose; any other is replaced. */
const SANE_ID = /^[\w.:-]{1,128}$/;

/**
 * Maximum bytes of a request's headers: tokens of the portal's proxy list all groups of their user.
 */
const LONGEST_HEAD = 32_768;

/** Creates the Fastify instance of a service, with its limits and its error format. */
export function createApp(options: {
  config: Pick<CommonConfig, 'listen' | 'limits'>;
  errors: ErrorFormat;
  ignoreTrailingSlash?: boolean;
  onUnknownPath?(path: string): void;
  rewriteUrl?(url: string): string;
  logger: Logger;
  now: () => number;
}): ServiceApp {
  const { config, errors, ignoreTrailingSlash, logger, now } = options;
  const { rewriteUrl } = options;
  const { requestTimeout } = config.limits;
  const app: ServiceApp = fastify({
    loggerInstance: lazyLogger(logger as FastifyBaseLogger),
    logController: new LogController({ disableRequestLogging: true }),
    // Without trusted proxies, forwarding headers are ignored.
    trustProxy: config.listen.trustProxy.length > 0 && config.listen.trustProxy,
    bodyLimit: config.limits.body,
    requestTimeout,
    http: {
      requestTimeout,
      // Node.js swaps the two timeouts if this one is longer.
      headersTimeout: requestTimeout,
      // Interval of the check for late requests.
      connectionsCheckingInterval: Math.min(5_000, requestTimeout),
      maxHeaderSize: LONGEST_HEAD,
      // Treats requests without a body as complete immediately, without emitting stream events.
      optimizeEmptyRequests: true,
    },
    // Longer than the keep-alive of proxies, so that the service never closes a connection first.
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // On a busy machine, registering the routes may take longer than the default of ten seconds.
    pluginTimeout: 120_000,
    genReqId: requestId,
    ...(rewriteUrl && {
      rewriteUrl: ({ url = '/' }: { url?: string }) => rewriteUrl(url),
    }),
    // Longer than any path: requests rejected by the router are neither counted nor logged.
    routerOptions: { ignoreTrailingSlash, maxParamLength: LONGEST_HEAD },
    clientErrorHandler: brokenRequestAnswer((message, status) =>
      errors.render(
        { kind: 'invalidRequest', message },
        { status, now: new Date(now()) },
      ),
    ),
    frameworkErrors: (error, request, reply) => {
      if (error.code === 'FST_ERR_BAD_URL') {
        routeBadUrl(app, request.raw, reply.raw);
        return;
      }
      // Outside the request lifecycle: no hooks or error handlers run.
      sendFault(reply as FastifyReply, toFault(error, { bodyAbsent: true }), {
        errors,
        now,
      });
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  ignoreExpectations(app.server);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  boundHandlers(app, config.limits);
  boundBodies(app);
  // A single hook for everything, because each hook costs time in every request.
  app.addHook('onSend', (request, reply, payload, done) => {
    closeUnread(request.raw, reply.raw);
    boundStream(reply, payload, config.limits);
    // If no handler accepts an upgrade, Node's parser stays in upgrade mode: a malformed head in
    // the next request on the connection would be ignored, and its caller left waiting.
    if (request.headers.upgrade !== undefined) {
      reply.raw.shouldKeepAlive = false;
    }
    done();
  });
  acceptJson(app);
  refuseUnstorableTexts(app);
  handleErrors(app, {
    ...{ errors, ignoreTrailingSlash, now },
    onUnknownPath: options.onUnknownPath,
  });
  return app;
}

function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : nextId();
}

/** The first 24 characters of a UUID; the last 12 digits count the requests of this process. */
const PROCESS_ID = randomUUID().slice(0, 24);
let requests = 0;

/**
 * Returns a unique id in the form of a UUID. A random one per request would take ten times as long.
 */
function nextId(): string {
  requests += 1;
  return PROCESS_ID + requests.toString(16).padStart(12, '0');
}
